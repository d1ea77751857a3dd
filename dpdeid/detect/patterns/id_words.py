"""Words before identifiers, with their labels. Data only; `identifiers` makes the rows.

Each entry is the name of a row, its label, the words (folded), a test line with the span marked,
and lines in which the row must find nothing. Most words are ordinary ones that identifiers happen
to follow, so there are three tables: words that nothing else follows, words that need a code which
is evidently one, and words that may stand some words away.
"""

from __future__ import annotations

from typing import Final

from dpdeid.labels import Label

Entry = tuple[str, Label, str, str, tuple[str, ...]]

SURE: Final[tuple[Entry, ...]] = (
    (
        "patient.ipp",
        Label.PATIENT_ID,
        "ipp nip ippr ipps nipp pid mrn",
        "IPP : «PATIENT_ID:38-771204»",
        ("IPP 40 mg", "IPP SE 48h", "IPP depuis 2019", "sous IPP le 12/03/2020"),
    ),
    (
        "visit.nda",
        Label.VISIT_ID,
        "nda iep eds ndv adm",
        "NDA : «VISIT_ID:23MAT01902», ch 12",
        ("EDS du 12/03/2020", "adm. le 12/03/2020", "adm 2024"),
    ),
    (
        "provider.rpps",
        Label.PROVIDER_ID,
        "rpps adeli finess inami gln rcc nihii",
        "N° RPPS : «PROVIDER_ID:10101338846», exerçant",
        ("FINESS en cours",),
    ),
    (
        "other.lot",
        Label.OTHER_ID,
        "lot lots serie sn passeport passport cni immatriculation badge udi imei plaque"
        " emetteur emetteurs recepteur transmetteur telecommande",
        "vaccin (lot «OTHER_ID:AHBVC811»), bras gauche",
        ("lot de 3", "série de 12", "passeport 2019", "plaque 12 mm", "émetteur 2 fois"),
    ),
)

LIKELY: Final[tuple[Entry, ...]] = (
    (
        "patient.number",
        Label.PATIENT_ID,
        "patient patiente identifiant dossier dossiers",
        "N° patient : «PATIENT_ID:5521904»",
        ("patient de 1945", "dossier du 12/03/2020", "patiente 72 ans", "dossier 12"),
    ),
    (
        "visit.number",
        Label.VISIT_ID,
        "sejour sej hospitalisation episode venue cas passage pass admission contact encounter"
        " entree hospit provisoire",
        "N° de séjour : «VISIT_ID:2311-07734»",
        ("séjour 12 jours", "cas 2", "venue le 12/03", "contact 06 12 34 56 78", "entrée 2020"),
    ),
    (
        "order.number",
        Label.ORDER_ID,
        "bon demande examen accession etiquette etiq prelevement prelev prel prlvt tube tubes"
        " echantillon cliche cliches prescription ordo biopsie biopsies bx etude sidep flacon"
        " enregistrement anapath requete acquisition specimen lame ordre anteriorite"
        " bilan ecouvillon film test analyse analyses ech dem acc aff reg bordereau microbiopsie"
        " guthrie prelevt flacons pot pots lames affaire affaires cro",
        "Examen n° «ORDER_ID:CORO-20-00417»",
        (
            "examen du 12/03/2020",
            "bon état",
            "demande 3 séances",
            "2 tubes 5 ml",
            "examen : 12/8",
            "bilan : GGT 184",
        ),
    ),
    (
        "other.number",
        Label.OTHER_ID,
        "matricule recepisse police contrat adherent adherente adh mutuelle assure assuree sinistre"
        " licence plainte pv mission facture devis digicode ticket convocation requisition scelle"
        " inventaire appareil appareils cavalier concentrateur boitier bracelet feuillet caution"
        " allocataire mdph caf zemis ofpra agdref fse maif suva carte certificat attestation permis"
        " titre code compte courante cristal inclusion fiche kit visa parc abonnement beneficiaire"
        " client declaration convention acte reglement ine siret siren rg run piece inter cafat"
        " coffre recu agr agrement balise vol transmetteur generateur nid mutualite vignette"
        " registre"
        " affilie affiliee folio scelles navigo tracabilite",
        "police n° «OTHER_ID:45.118.207», vue",
        ("carte 12", "code 2", "police du 12/03/2020", "titre 2019", "appareil 2"),
    ),
)

FAR_AWAY: Final[tuple[Entry, ...]] = (
    (
        "dossier.far",
        Label.PATIENT_ID,
        "identifiant dossier",
        "identifiant permanent «PATIENT_ID:A19044128» demeurant",
        ("dossier vu le 12/03/2020", "dossier complet 12 pages"),
    ),
    (
        "other.far",
        Label.OTHER_ID,
        "lot serie carte passeport recepisse police contrat adherent mutuelle assure sinistre"
        " mdph code licence titre assurance certificat compte modele maif cristal"
        " fiche declaration badge",
        "carte mutuelle harmonie n «OTHER_ID:04471892»",
        ("carte de groupe faite 2 fois", "mutuelle vue le 12/03/2020", "série de 12 séances"),
    ),
    (
        "order.far",
        Label.ORDER_ID,
        "demande bon examen prelevement labo laboratoire biopsie biopsies bilan ecbu scanner irm",
        "biopsie cutanée «ORDER_ID:20H18804» : pas de signe",
        ("examen du 12/03/2020", "labo du 12 mars 2020 10h", "examen clinique : TA 143/76"),
    ),
)

EXAMS: Final = (
    "biopsie biopsies ecbu ecbc biologie bilan labo laboratoire scanner irm tdm radio radios rx eeg"
    " emg ecg enmg echo echographie anapath prelevement prelevements serologie hemoculture bio"
    " hemocultures imagerie cliche cliches coronarographie scintigraphie tep mammographie frottis"
    " coproculture lcr pcr nfs exerese piece myelogramme examen analyse analyses tube tubes"
    " electroencephalogramme rai ecub resultat resultats culture cultures"
    " quantiferon cytologie histologie anatomopathologie polysomnographie holter spirometrie efr"
    " immunohistochimie fibroscopie coloscopie endoscopie caryotype genetique preleve prelevee"
)
"""Examinations, whose numbers are orders."""

OFFICES: Final = (
    "assurance assureur maif mdph caf samu smur antipoison udaf police parquet tribunal regulation"
    " gendarmerie avocat cpam carsat prefecture ofpra maia office suva ethias msa urssaf crip juge"
    " curatrice curateur tutelle tutrice tuteur commissariat justice mandataire centre"
)
"""Who keeps files that are not the hospital's."""
