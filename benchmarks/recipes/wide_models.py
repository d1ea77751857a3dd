"""A wide language model, taggers on it, and the small tagger that ships, learned from them.

Needs a graphics card: nine minutes of one H100 and of 16 processors. Run with dpdeid and torch:

    wide_models.py texts MIX.jsonl CLINICAL.jsonl OUT    raw texts as pieces, clinical also noised
    wide_models.py learn OUT CORPUS… --raw RAW.jsonl …   all that the card does, in stages
    wide_models.py base base-NAME.safetensors learned.json OUT    a folder to start taggers from
    wide_models.py finish tagger-NAME.safetensors HELD_OUT.jsonl OUT CORPUS…    a calibrated folder

*Bases*: masked language models over the texts, a wide one and small ones. *Teachers*: three taggers
on the wide one, each in an order. *Small taggers* learn what the mean of the three says of each
token (Hinton et al. 2015), of annotated and of raw text, beside what is annotated.
Meanwhile the processors write versions of the notes, and score a teacher.

Word pieces are those of the shipped base. Every draw is seeded, but minutes and graphics cards
differ: a new run gives other weights.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpdeid.detect.taggers.inputs import AROUND, CLASSES, WIDTH, cut, rule_spans, word_classes
from dpdeid.detect.taggers.sequences import bio_tags, sentence_starts, windows
from dpdeid.document import Document
from dpdeid.labels import Label
from dpdeid.privacy.rng import Stream
from dpdeid.spans import encode
from dpdeid.training.augment import doubted, noised, vary
from dpdeid.training.corpus import Note, read_corpus

Array = np.ndarray[Any, np.dtype[Any]]
BASE: Final = Path(__file__).parents[2] / "dpdeid/models/base"
LABELS: Final = tuple(label for label in Label if label is not Label.DURATION)
TAGS: Final = bio_tags(LABELS)
ROOM: Final = 254
LENGTH: Final = 256
PAD, CLS, SEP, MASK = 0, 2, 3, 4
UNKNOWN: Final = -1
"""The tag of what nobody has annotated."""


def tokenizer() -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(BASE / "tokenizer.json"))


# --- texts: what the language models read ------------------------------------------------------


def texts(mix: Path, clinical: Path, out: Path) -> None:
    """All texts as one row of pieces; each clinical text also in four noised versions."""
    rows = [json.loads(line)["text"] for line in mix.open(encoding="utf-8")]
    for number, line in enumerate(clinical.open(encoding="utf-8")):
        doc = Document(f"clinical-{number}", json.loads(line)["text"])
        rows += [
            noised(doc, (), Stream(f"texts {number} {version}".encode()))[0].text
            for version in range(4)
        ]
    rows = Stream(b"texts").shuffled(rows)
    tool, ids = tokenizer(), []
    for start in range(0, len(rows), 512):
        ids += [np.array(e.ids, np.uint16) for e in tool.encode_batch(rows[start : start + 512])]
    row = np.concatenate(ids)
    out.mkdir(parents=True, exist_ok=True)
    with lzma.open(out / "pieces.xz", "wb", preset=6) as file:
        file.write(row.tobytes())
    print(
        f"{len(rows)} texts, {len(row)} pieces, {(out / 'pieces.xz').stat().st_size / 1e6:.1f} MB"
    )


# --- windows: what the taggers read ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows side by side: of each piece its id and the classes of its token and neighbours, as
    bits; of each token that is judged the place of its first piece in all pieces, and its tag.

    Args:
        ids: (P,) uint16.
        bits: (P, 5) int64.
        ends: (W,) where each window ends.
        first, tags: (N,).
    """

    ids: Array
    bits: Array
    ends: Array
    first: Array
    tags: Array

    @classmethod
    def of(cls, found: Sequence[tuple[Array, Array, Array, Array]]) -> Windows:
        sizes = np.array([len(w[0]) for w in found])
        begins = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        return cls(
            np.concatenate([w[0] for w in found]),
            np.concatenate([w[1] for w in found]),
            np.cumsum(sizes),
            np.concatenate([w[2] + b for w, b in zip(found, begins, strict=True)]),
            np.concatenate([w[3] for w in found]),
        )


def cut_windows(note: Note, tool: Any, rules: Any, *, known: bool) -> Iterator[Any]:
    """Those of `dpdeid.training.transformer.cut_windows`, with classes as bits."""
    doc, spans = note
    tokens = doc.tokens
    pieces = cut(doc.text, tokens, tool)
    bits = np.array([*word_classes(doc, rules), 0], np.int64)  # the last is for line breaks
    count, reach = len(bits) - 1, max(AROUND)
    padded = np.pad(bits, (reach, reach))
    around = np.stack([padded[reach + d : reach + d + count + 1] for d in AROUND], 1)
    around[count:] = 0
    rows = around[pieces.owner]
    number = {tag: index for index, tag in enumerate(TAGS)}
    tags = np.array(
        [number.get(t, 0) for t in encode(spans, tokens)] if known else [UNKNOWN] * count
    )
    first = pieces.first
    for window in windows(
        sentence_starts(tokens, doc.text), pieces.sizes(), words=384, room=ROOM, overlap=24
    ):
        begin = int(first[window.start]) if window.start else 0
        end = min(int(first[window.end]), begin + ROOM)
        inside = slice(window.start, window.end)
        seen = ~pieces.silent[inside] & (first[:-1][inside] < end)
        if seen.any():
            yield (
                np.concatenate(([CLS], pieces.ids[begin:end], [SEP])).astype(np.uint16),
                np.pad(rows[begin:end], ((1, 1), (0, 0))),
                (first[:-1][inside][seen] - begin + 1).astype(np.int64),
                tags[inside][seen].astype(np.int64),
            )


def version(number: int, corpus: Sequence[Note], raw: Sequence[Document], folder: Path) -> Path:
    """Writes one version of all notes and of a tenth of the raw texts."""
    draws, tool = Stream(f"version {number}".encode()), tokenizer()
    found = list[Any]()
    for doc, spans in corpus:
        note = vary(doc, spans, draws)
        found += cut_windows(note, tool, doubted(rule_spans(note[0]), draws), known=True)
    for doc in raw[number % 10 :: 10]:
        note = vary(doc, (), draws)
        found += cut_windows(note, tool, doubted(rule_spans(note[0]), draws), known=False)
    every = Windows.of(found)
    path = folder / f"version-{number}.npz"
    np.savez(folder / f".{number}.npz", **{k: getattr(every, k) for k in Windows.__slots__})
    (folder / f".{number}.npz").rename(path)
    return path


_HELD: list[Any] = []


def _worker(numbers: Any, last: int, folder: Path) -> None:
    corpus, raw = _HELD
    while True:
        with numbers.get_lock():
            number = numbers.value
            numbers.value += 1
        if number >= last:
            return
        version(number, corpus, raw, folder)


# --- networks ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    layers: int
    hidden: int
    heads: int


WIDE: Final = Shape(8, 512, 8)
SMALL: Final = {"s4x256": Shape(4, 256, 4), "s3x192": Shape(3, 192, 3), "s2x256": Shape(2, 256, 4)}
DEVICE: Final = os.environ.get("WIDE_DEVICE", "cuda")


def config_of(shape: Shape) -> Any:
    import transformers as hub

    make: Any = hub.BertConfig
    return make(
        vocab_size=tokenizer().get_vocab_size(),
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=4 * shape.hidden,
        max_position_embeddings=512,
        initializer_range=0.04 if shape.hidden < 400 else 0.02,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        pad_token_id=PAD,
    )


def language_model(shape: Shape, ids: Any) -> Any:
    import transformers as hub

    from dpdeid.training.small_model import warm

    make: Any = hub.BertForMaskedLM
    model = make(config_of(shape)).to(DEVICE)
    warm(model, ids)
    return model


def continues() -> Any:
    """Of each piece whether it goes on with the word before (V,) bool."""
    import torch

    tool = tokenizer()
    pieces = [tool.id_to_token(i) for i in range(tool.get_vocab_size())]
    return torch.tensor([piece.startswith("##") for piece in pieces])


def pretrain(
    name: str, shape: Shape, row: Any, seconds: float, rate: float, batch: int
) -> tuple[Any, dict[str, float]]:
    """A masked language model (see `dpdeid.training.language_model`), and its progress."""
    import torch

    torch.manual_seed(0)
    model = language_model(shape, row)
    model.train()
    decay = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}],
        lr=rate,
        betas=(0.9, 0.98),
        fused=DEVICE == "cuda",
    )
    sequences = row[: len(row) // LENGTH * LENGTH].view(-1, LENGTH)
    goes_on = continues().to(DEVICE)
    vocabulary = len(goes_on)
    began, steps, order, at = time.monotonic(), 0, None, 0
    loss: Any = None
    while (past := time.monotonic() - began) < seconds:
        done = past / seconds
        for group in optimizer.param_groups:
            group["lr"] = rate * min(done / 0.06, (1 - done) / 0.94)
        if order is None or at + batch > len(order):
            order, at = torch.randperm(len(sequences), device=DEVICE), 0
        ids = sequences[order[at : at + batch]].long()
        at += batch
        words = (~goes_on[ids]).cumsum(1)
        drawn = torch.rand(ids.shape, device=DEVICE).gather(1, words.clamp(max=LENGTH - 1)) < 0.2
        drawn &= (ids != CLS) & (ids != SEP)
        fate = torch.rand(ids.shape, device=DEVICE)
        other = torch.randint(vocabulary, ids.shape, device=DEVICE)
        shown = torch.where(fate < 0.8, MASK, torch.where(fate < 0.9, other, ids))
        shown = torch.where(drawn, shown, ids)
        with torch.autocast(DEVICE, torch.bfloat16):
            hidden = model.base_model(input_ids=shown).last_hidden_state
            scores = model.cls(hidden[drawn])
        loss = torch.nn.functional.cross_entropy(scores.float(), ids[drawn])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        steps += 1
        if steps % 200 == 1:
            print(
                f"{name}: {past:.0f} s, step {steps}, {steps * batch * LENGTH / 1e6:.0f} M pieces, "
                f"loss {float(loss.detach()):.3f}",
                flush=True,
            )
    told = {
        "steps": steps,
        "tokens": steps * batch * LENGTH,
        "seconds": seconds,
        "loss": float(loss.detach()),
    }
    print(f"{name}: {told}", flush=True)
    return model, told


def read_windows(paths: Iterable[Path]) -> list[Windows]:
    found = []
    for path in paths:
        with np.load(path) as held:
            found.append(Windows(**{name: held[name] for name in Windows.__slots__}))
    return found


class Fed:
    """Windows on the card, given in padded batches. Not frozen: it holds what taggers said too."""

    def __init__(self, held: Windows) -> None:
        import torch

        self.ends = torch.from_numpy(held.ends)
        self.begins = torch.cat((torch.zeros(1, dtype=torch.long), self.ends[:-1]))
        self.ids = torch.from_numpy(held.ids.astype(np.int16)).to(DEVICE)
        self.bits = torch.from_numpy(held.bits).to(DEVICE)
        tags = np.full(len(held.ids), -100, np.int64)  # a piece that is not judged
        tags[held.first] = np.where(held.tags == UNKNOWN, -99, held.tags)
        self.tags = torch.from_numpy(tags).to(DEVICE)
        self.known = torch.tensor(
            [bool((tags[b:e] >= 0).any()) for b, e in zip(self.begins, self.ends, strict=True)]
        )
        self.said: Any = None

    def order(self, size: int, generator: Any, *, known_only: bool = False) -> list[Any]:
        import torch

        sizes = self.ends - self.begins
        which = torch.arange(len(sizes))
        if known_only:
            which = which[self.known]
        which = which[torch.randperm(len(which), generator=generator)]
        groups = []
        for start in range(0, len(which), 16 * size):
            chunk = which[start : start + 16 * size]
            chunk = chunk[sizes[chunk].argsort()]
            groups += [chunk[i : i + size] for i in range(0, len(chunk), size)]
        return [groups[i] for i in torch.randperm(len(groups), generator=generator)]

    def batch(self, which: Any) -> tuple[Any, ...]:
        """ids, classes, mask, tags, and the places of the pieces in the row (B, T)."""
        import torch

        begins, ends = self.begins[which].to(DEVICE), self.ends[which].to(DEVICE)
        longest = int((self.ends[which] - self.begins[which]).max())
        at = begins[:, None] + torch.arange(longest, device=DEVICE)
        mask = at < ends[:, None]
        at = at.clamp(max=len(self.ids) - 1)
        ids = torch.where(mask, self.ids[at].long(), PAD)
        bits = self.bits[at]  # (B, T, 5)
        classes = (bits[..., None] >> torch.arange(len(CLASSES), device=DEVICE)) & 1
        classes = classes.flatten(2).to(torch.bfloat16)
        tags = torch.where(mask, self.tags[at], -100)
        return ids, classes, mask.long(), tags, at


def new_tagger(encoder: Any) -> Any:
    from dpdeid.detect.taggers.transformer_network import TaggerModule

    return TaggerModule(encoder, classes=WIDTH, tags=len(TAGS)).to(DEVICE)


def train_tagger(
    module: Any,
    versions: Sequence[Fed],
    *,
    seed: int,
    rate: float,
    size: int,
    seconds: float,
    passes: int,
    label: str,
) -> None:
    """Passes over versions of the notes, each seen once if there are enough.

    Where the versions hold what taggers said, most of the loss is the distance to that.
    """
    import torch

    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    new = [p for n, p in module.named_parameters() if not n.startswith("encoder.")]
    optimizer = torch.optim.AdamW(
        [{"params": list(module.encoder.parameters())}, {"params": new}],
        lr=rate,
        fused=DEVICE == "cuda",
    )
    rates = rate, max(rate, 1e-3)
    module.train()
    began = time.monotonic()
    for epoch in range(passes):
        fed = versions[(epoch + seed) % len(versions)]
        groups = fed.order(size, generator, known_only=fed.said is None)
        total = count = 0.0
        for index, which in enumerate(groups):
            past = (time.monotonic() - began) / seconds
            done = max((epoch + index / len(groups)) / passes, past)
            if done >= 1:
                break
            ramp = min(done / 0.05, (1 - done) / 0.95)
            for group, top in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = top * ramp
            ids, classes, mask, tags, at = fed.batch(which)
            with torch.autocast(DEVICE, torch.bfloat16):
                scores = module(ids, classes, mask)
            judged = tags != -100
            scores, wanted = scores[judged].float(), tags[judged]
            loss = scores.sum() * 0
            if (wanted >= 0).any():
                loss = loss + torch.nn.functional.cross_entropy(
                    scores[wanted >= 0], wanted[wanted >= 0]
                )
            if fed.said is not None:
                said = fed.said[at[judged]].float()
                soft = torch.nn.functional.kl_div(
                    scores.log_softmax(1), said, reduction="batchmean", log_target=True
                )
                loss = 0.3 * loss + 0.7 * soft
            loss.backward()
            torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            if index % 20 == 0:
                total, count = total + float(loss.detach()), count + 1
        print(
            f"{label}: pass {epoch + 1}, {time.monotonic() - began:.0f} s, "
            f"loss {total / max(count, 1):.4f}",
            flush=True,
        )
        if time.monotonic() - began >= seconds:
            break
    module.eval()


def say(teachers: Sequence[Any], fed: Fed) -> None:
    """Keeps the mean of what taggers say of each judged piece, as log-probabilities."""
    import torch

    fed.said = torch.zeros(len(fed.ids), len(TAGS), dtype=torch.bfloat16, device=DEVICE)
    generator = torch.Generator().manual_seed(0)
    with torch.inference_mode():
        for which in fed.order(256, generator):
            ids, classes, mask, tags, at = fed.batch(which)
            judged = tags != -100
            with torch.autocast(DEVICE, torch.bfloat16):
                chances = [t(ids, classes, mask)[judged].float().softmax(1) for t in teachers]
            fed.said[at[judged]] = (sum(chances) / len(chances)).clamp(min=1e-8).log().bfloat16()


def keep(module: Any, path: Path) -> None:
    """Weights in 16 bits."""
    import torch
    from safetensors.torch import save_file

    state = {
        name: tensor.detach().cpu().to(torch.float16).contiguous()
        for name, tensor in module.state_dict().items()
        if tensor.is_floating_point() and not name.endswith("decoder.weight")
    }
    save_file(state, str(path))


def encoder_of(model: Any) -> Any:
    """A copy of the encoder of a language model, without its pooling layer."""
    from copy import deepcopy

    return deepcopy(model.base_model)


def shape_of(state: dict[str, Any]) -> Shape:
    """The shape of an encoder with heads of 64, by its weights."""
    hidden = next(t.shape[1] for n, t in state.items() if n.endswith("word_embeddings.weight"))
    layers = {n.split(".layer.")[1].split(".")[0] for n in state if ".layer." in n}
    return Shape(len(layers), hidden, max(1, hidden // 64))


def trained(weights: Path) -> Any:
    """A tagger from weights in 16 bits, with the specification that its windows were cut by."""
    import transformers as hub
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    from dpdeid.detect.taggers.transformer import TaggerSpec
    from dpdeid.detect.taggers.transformer_network import TaggerModule
    from dpdeid.training.transformer import Trained

    state = {name: tensor.float() for name, tensor in load_file(str(weights)).items()}
    make: Any = hub.BertModel
    encoder = make(config_of(shape_of(state)), add_pooling_layer=False)
    module = TaggerModule(encoder, classes=WIDTH, tags=len(TAGS))
    module.load_state_dict(state)
    spec = TaggerSpec(tags=TAGS, classes=CLASSES, prefix=(CLS,), suffix=(SEP,), room=ROOM)
    return Trained(module, spec, Tokenizer.from_file(str(BASE / "tokenizer.json")), {}, (0,))


def score(weights: Path, *corpora: Path) -> None:
    """What a tagger finds alone, in each corpus."""
    import torch

    from dpdeid.training.calibration import figures

    torch.set_num_threads(max(1, (os.cpu_count() or 1) - 2))
    tagger = trained(weights).tagger
    for path in corpora:
        notes = read_corpus([path])
        found = ", ".join(f"{k} {v:.4f}" for k, v in figures(tagger, notes).items())
        print(f"teacher alone, {path.name}, {len(notes)} notes: {found}", flush=True)


def base(weights: Path, learned: Path, out: Path) -> None:
    """The folder of a small base: 16-bit weights, the tokenizer, origins and a card."""
    import torch
    import transformers as hub
    from safetensors.torch import load_file

    name = weights.stem.split("-")[1]
    make: Any = hub.BertForMaskedLM
    state = load_file(str(weights))
    model = make(config_of(shape_of(state)))
    left = model.load_state_dict(state, strict=False)
    assert left.missing_keys == ["cls.predictions.decoder.weight"], left  # tied to the embeddings
    model.tie_weights()
    model.to(torch.float16).save_pretrained(out)
    for kept in ("tokenizer.json", "origins.json"):
        (out / kept).write_bytes((BASE / kept).read_bytes())
    told = json.loads(learned.read_text(encoding="utf-8"))[name]
    (out / "README.md").write_text(base_card(out, model.num_parameters(), told), encoding="utf-8")


def base_card(folder: Path, parameters: int, told: dict[str, float]) -> str:
    """The card of a base for people, in Markdown."""
    origins = json.loads((folder / "origins.json").read_text(encoding="utf-8"))
    data = "\n".join(f"| {s['name']} | {s['licence']} | {s['notes']} |" for s in origins["data"])
    identified = "**yes**" if origins["trained_on_identified"] else "no"
    return (
        "# base\n\nA small French clinical BERT, trained from nothing by masked language "
        f"modelling: {parameters / 1e6:.1f} million parameters, 16-bit weights. Trained on "
        f"identified notes: {identified}.\n\nIt is a start for `dpdeid train transformer --base "
        "shipped` and `dpdeid train mlm --base shipped`, not a tagger.\n\n"
        f"| trained on | licence | texts |\n|---|---|---|\n{data}\n\n"
        f"{told['steps']} steps, {told['tokens']} pieces in {told['seconds']:.0f} seconds on one "
        f"H100 (clinical texts in four noised versions too); loss at the end {told['loss']:.2f} "
        "nats a masked piece. Made by benchmarks/recipes/wide_models.py.\n"
    )


def finish(weights: Path, held_out: Path, out: Path, *corpora: Path) -> None:
    """The model folder of a small tagger, its temperature and offsets chosen on held-out notes."""
    from dpdeid.detect.taggers.card import Source
    from dpdeid.training.bases import Origins, read_origins
    from dpdeid.training.export import write_model
    from dpdeid.training.transformer import calibrated

    dev = read_corpus([held_out])
    best = calibrated(trained(weights), dev, recall=0.99)
    print(best.scores)
    read = (
        Source(path.name, "fictitious: see docs/transformer.md", len(read_corpus([path])))
        for path in corpora
    )
    write_model(
        out,
        best,
        dev,
        origins=read_origins(str(BASE)) + Origins(tuple(read)),
        seeds=(0,),
        spread={},
        settings={"recipe": Path(__file__).name, "taught by": "three wide taggers"},
    )


def learn(given: argparse.Namespace) -> None:
    """All stages on one card; what is done is written at once."""
    import torch

    out, held, work = Path(given.out), Path(given.texts), Path(given.work)
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()

    def tell(what: str) -> None:
        print(f"[{time.monotonic() - began:.0f} s] {what}", flush=True)

    _HELD[:] = [
        read_corpus([Path(p) for p in given.corpus]),
        [doc for doc, _ in read_corpus([Path(given.raw)])],
    ]
    context = get_context("fork")
    numbers = context.Value("i", 0)
    workers = [
        context.Process(target=_worker, args=(numbers, given.versions, work), daemon=True)
        for _ in range(given.workers)
    ]
    for worker in workers:
        worker.start()
    tell(f"{len(_HELD[0])} notes, {len(_HELD[1])} raw texts, {given.workers} workers")
    with lzma.open(held / "pieces.xz") as file:
        row = torch.from_numpy(np.frombuffer(file.read(), np.uint16).astype(np.int16)).to(DEVICE)
    tell(f"{len(row) / 1e6:.1f} M pieces")
    part = given.seconds / 100.0
    torch.backends.cuda.matmul.allow_tf32 = True
    bases, told = {}, {}
    for name, shape, share, rate, batch in (
        ("wide", WIDE, given.wide, 4e-4, given.batch),
        *((name, SMALL[name], given.narrow, 1e-3, given.batch) for name in given.small),
    ):
        bases[name], told[name] = pretrain(name, shape, row, share * part, rate, batch)
        tell(f"base {name}")
    keep(bases[given.small[0]], out / f"base-{given.small[0]}.safetensors")
    (out / "learned.json").write_text(json.dumps(told, indent=1) + "\n")
    del row
    paths = sorted(work.glob("version-*.npz"), key=lambda p: int(p.stem.split("-")[1]))
    feds = [Fed(windows) for windows in read_windows(paths)]
    tell(f"{len(paths)} versions, {sum(len(f.ends) for f in feds)} windows on the card")
    for worker in workers:
        worker.terminate()
    teachers = []
    for seed in range(given.teachers):
        teacher = new_tagger(encoder_of(bases["wide"]))
        train_tagger(
            teacher,
            feds,
            seed=seed * 7,
            rate=1.5e-4,
            size=32,
            seconds=given.tagger * part,
            passes=given.passes,
            label=f"tagger {seed}",
        )
        teachers.append(teacher)
    keep(teachers[0], work / "teacher.safetensors")
    scoring = context.Process(
        target=os.execv,
        args=(
            sys.executable,
            [sys.executable, __file__, "score", str(work / "teacher.safetensors"), *given.scored],
        ),
    )
    scoring.start()
    tell("teachers")
    for fed in feds:
        say(teachers, fed)
    tell("said")
    for name in given.small:
        student = new_tagger(encoder_of(bases[name]))
        train_tagger(
            student,
            feds,
            seed=0,
            rate=6e-4,
            size=48,
            seconds=given.student * part,
            passes=200,
            label=name,
        )
        keep(student, out / f"tagger-{name}.safetensors")
        tell(f"small {name}")
    scoring.join()
    tell("all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    first = verbs.add_parser("texts")
    first.add_argument("paths", nargs=3, type=Path)
    second = verbs.add_parser("learn")
    second.add_argument("texts")
    second.add_argument("corpus", nargs="+")
    second.add_argument("--raw", required=True)
    second.add_argument("--out", required=True)
    second.add_argument("--work", required=True)
    second.add_argument("--workers", type=int, default=14)
    second.add_argument("--seconds", type=float, default=520.0)
    second.add_argument("--small", nargs="+", default=["s4x256", "s2x256"], choices=SMALL)
    second.add_argument(
        "--scored", nargs="*", default=[], help="corpora on which a teacher is scored"
    )
    for name, share in (("wide", 40.0), ("narrow", 8.0), ("tagger", 6.0), ("student", 11.0)):
        second.add_argument(f"--{name}", type=float, default=share, help="per cent of the seconds")
    second.add_argument("--batch", type=int, default=64)
    second.add_argument("--versions", type=int, default=28)
    second.add_argument("--passes", type=int, default=14)
    second.add_argument("--teachers", type=int, default=3)
    third = verbs.add_parser("finish")
    third.add_argument("paths", nargs="+", type=Path)
    verbs.add_parser("base").add_argument("paths", nargs=3, type=Path)
    fourth = verbs.add_parser("score")
    fourth.add_argument("paths", nargs="+", type=Path)
    given = parser.parse_args()
    if given.verb == "texts":
        texts(*given.paths)
    elif given.verb == "learn":
        learn(given)
    elif given.verb == "score":
        score(*given.paths)
    elif given.verb == "base":
        base(*given.paths)
    else:
        finish(*given.paths)


if __name__ == "__main__":
    main()
