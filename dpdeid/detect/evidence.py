"""What the lists say about one word: how usual it is, and whether a person may bear it.

The insight of FASDIM (Chazard et al. 2014), turned to recall: a word that is in no list of words is
suspicious, in any case and at any place. Evidence for the learned taggers, never a decision: of the
words outside names 13 % are in no list (abbreviations, misspellings), and 25 % of the names are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dpdeid import gazetteers
from dpdeid.detect.vocabulary import words
from dpdeid.memo import Memo

SHORTHAND: Final = words(
    "aa acfa acr adp aeg aeo aes alat alcool amm amp anca antalg aomi apyr asat atb atcd atcds"
    " auc av avc avk avp bav bb bdc bhcg bili bk bmi bmr bnp bpco bpm bric bu bum bzd cat cathe"
    " cbr cc ccmu cg cgr ch cha chads chir ci cl clcr clin cm cml cmv cns colo conso coro cp cpa"
    " cpap cpk cpm cpre crea creat crp csp ct ctc cv cvc dbt dci ddb ddr dep derm dfg dg dgs dh"
    " did diu dl dlr dmla dms dnid doul dpc drs dt dts dvo dyn dysp ebv ecbu ecg echo ecmo edtsa"
    " eeg efr eg emg enmg eo ep epo epp ergo etiol eto ett evol fa fc fcs fdr fev fevg fibro fid"
    " fio fiv fo fog fosse fr frcv fsh ftsj fv gaj gamma gb gcs gds ggt ghz gly gpp gr grav gs gsc"
    " gst gy gyn hav hb hbpm hc hcg hco hct hd hdd hdl hdm hdt hemocs hgpo hgt hie hnf hpf hsc hsd"
    " hsv hta htap htic htp hv hvg hz iam iao icd icp idm iec ig igs ihc im imao imc inh inr insuf"
    " insuff intox iot ipp ira irc iresp irm irs ist itu iv ivd ivg ivl ivse kc kcal keto kg khz"
    " kt ktc lam lap lcr ldh ldl lh llc lma lnh loc lomb mav mcd mce med meq mg mgy mhc mi mid min"
    " ml mm mmhg mmol mn mnc mol mrsa mtx mvei nacl nb nfs ng nha nle nlle nn nod normoch npo nr"
    " nyha oap obs od og oh oms op orl ort oto pa pac paco pad pam pao paps para pas pbh pca pcr"
    " pct pdf pec perf peri pev pfc pg pic picc pl plaq pm pma pnn po poly postop ppi preop proba"
    " prot ps psa psl ptg pth ptt qsp ra rai ras rau rcf rcp rcv rdv reeduc resp rfs rgo rhd ri rm"
    " roc rot rp rpm rppc rqth rt rtu rx sa sao sap sarm sat satu sb sc scc scp sdra sec sep sg si"
    " sida sigm smur sng snp sop spo ss ssr sus tca tcmh td tdm temp tep tfi tg tgi thc tj tnm toc"
    " top tp tr ts tsh tt ttt tv tvp txa ucsi uf ug ui um usc usi ute vads vci vcs ves vgm vha vhb"
    " vhc vih vit vm vni vo vol vp vpp vrs vs vvp ya zn"
    " maldi tof hplc filmarray genexpert"
    " abvd acd aesh ains akt amir anesth apl arm asa aspi bcg beacopp beam bhr blse bpn bza capox"
    " carbo cdt cec cgm chop cidp cls clsc cmh cohp crrt csapa cta cvf dbs deamb dhap dlp dmo dpi"
    " dpni dra dsm eer ehpad epr eras esap evar ffr fhr flot folfiri folfirinox folfox gemox gir"
    " glp gmfcs had hdj iade iadl icu ifn ihm imv iono ipi ipss iss ivda kce lasik lata lca lcp"
    " lhon lnm lvp mcv mdph met mibi minichop mms mmse moca mpoc mrc mrs nihss nip noc npi nt oct"
    " odp opn pai panss pap patc pci pcv pds pecs petscan pft phq pivka plq pmi pni ppac prado"
    " prbc prp qcm qrs qtc rass rcc rchop rem rems rice rks rop rtms sadam saos sca scm sfl sglt"
    " sofa sopk soss ssiad ssri stemi sud svi tac tavi tcc tdah tens timi tipmp tips tma toci tpha"
    " trt tsa tsv ttr txt udi ueh uhcd vac vbi vcd vdrl vec vgo vgx vitc vlc vmd vna vpn vtd"
    " walant xelox"
)
"""Clinical shorthand and units, which no dictionary has."""

_FREQUENT: Final = 1_000
_COMMON: Final = 10_000
_LISTED: Final = 50_000


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the lists say about a folded word.

    Args:
        word: in a dictionary of French, in any inflection, names left out.
        name_word: in a dictionary, and a name as well; not in the words.
        frequency: whole part of the Zipf value, 2 (rare) to 7 ("de"); 0 where it is not listed.
        medical, drug: in the terminologies.
        shorthand: an abbreviation of clinical notes, or a unit.
        first_name: in the list of first names.
        surname: 4 among the 1,000 most frequent surnames of France, 3 among 10,000, 2 among 50,000,
            1 listed, 0 not listed.
    """

    word: bool
    name_word: bool
    frequency: int
    medical: bool
    drug: bool
    shorthand: bool
    first_name: bool
    surname: int

    @property
    def known(self) -> bool:
        """In some list of words."""
        return self.word or self.name_word or self.medical or self.drug or self.shorthand

    @property
    def suspicious(self) -> bool:
        """In no list of words; a name, a misspelling or an abbreviation."""
        return not self.known

    @property
    def ambiguous(self) -> bool:
        """Both a word and a name ("petit", "rose")."""
        return self.known and (self.first_name or self.surname > 0)


def evidence(word: str) -> Evidence:
    """The evidence for one folded word."""
    bits = gazetteers.medical().get(word, 0)
    return Evidence(
        word=word in gazetteers.words(),
        name_word=word in gazetteers.name_words(),
        frequency=gazetteers.frequency().get(word, 0),
        medical=bool(bits & 1),
        drug=bool(bits & 2),
        shorthand=word in SHORTHAND,
        first_name=word in gazetteers.first_names(),
        surname=_rank_class(gazetteers.surnames().get(word)),
    )


def _rank_class(rank: int | None) -> int:
    if rank is None:
        return 0
    return 1 + (rank < _LISTED) + (rank < _COMMON) + (rank < _FREQUENT)


EVIDENCE: Final = Memo(evidence)
"""The evidence for each folded word, remembered."""
