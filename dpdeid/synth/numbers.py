"""Numbers with the check digits of their kind, telephone numbers, addresses of mail."""

from __future__ import annotations

import datetime as dt
from typing import Final

from dpdeid.french.check_digits import ean_digit, iban_digits, luhn_digit, nir_key, niss_key
from dpdeid.french.numerals import spell
from dpdeid.french.phones import Range, by_area, ranges
from dpdeid.labels import Sex
from dpdeid.synth.dice import Dice
from dpdeid.synth.grammar import Form, rules
from dpdeid.synth.places import Town, slug

ACCOUNT: Final = {"FR": 23, "CH": 17, "BE": 12, "LU": 16}
"""Signs of an account number behind the check digits."""


def nir(dice: Dice, sex: Sex, born: dt.date, birthplace: str) -> str:
    """A 15-digit NIR with its key; `birthplace` is an INSEE code, or 99 and a country's number."""
    body = f"{1 if sex is Sex.MALE else 2}{born:%y%m}{birthplace}{dice.between(1, 999):03}"
    return body + nir_key(body)


def niss(dice: Dice, born: dt.date) -> str:
    """A Belgian national number."""
    body = f"{born:%y%m%d}{dice.between(1, 998):03}"
    return body + niss_key(body, born.year > 1999)


def ramq(born: dt.date, sex: Sex) -> str:
    """The birth date in a number of Québec: 50 is added to the month for women."""
    return f"{born:%y}{born.month + 50 * (sex is Sex.FEMALE):02}{born.day:02}"


def with_ean(dice: Dice, head: str) -> str:
    """Thirteen digits from a head: an AVS number (756), a GLN (7601)."""
    body = head + dice.digits(12 - len(head))
    return body + ean_digit(body)


def with_luhn(dice: Dice, head: str, drawn: int) -> str:
    """A head, digits drawn and their Luhn digit: RPPS (10), FINESS (a department and 0)."""
    body = head + dice.digits(drawn)
    return body + luhn_digit(body)


def two_digits(department: str) -> str:
    """Two digits for a department; Corsica is 20, and so is what is abroad."""
    return department[:2] if department[:2].isdigit() else "20"


def iban(dice: Dice, country: str) -> str:
    """An IBAN with its check digits."""
    account = dice.digits(ACCOUNT[country])
    return f"{country}{iban_digits(country, account)}{account}"


def phone(dice: Dice, town: Town, mobile: bool = False) -> str:
    """A telephone number of a town in one of the usual forms."""
    if town.country == "CA":
        return Form(dice, {"zone": lambda: dice.choice(ranges("US")).prefix[1:4]}).text("phone.CA")
    if town.department in ("987", "988"):
        return Form(dice, {}).text("phone.988")
    one = _range(dice, town, "mobile" if mobile else "landline")
    number = one.prefix + dice.digits(one.length - len(one.prefix))
    rule = f"phone.{one.plan}.{one.kind}"
    values = {"number": number, "code": one.code}
    return Form(dice, values).text(rule if rule in rules() else f"phone.{one.plan}")


def _range(dice: Dice, town: Town, kind: str) -> Range:
    """The range of the town's own area, else any of its plan."""
    plan = "OM" if town.department in by_area("OM") else town.country
    own = by_area(plan, kind).get(town.department)
    kinds = (kind, "city") if kind == "landline" else (kind,)
    return own or dice.choice([r for r in ranges(plan, use="drawn") if r.kind in kinds])


def spelled_pair(dice: Dice) -> str:
    """Two digits as dictated: in words, four times in five."""
    pair = dice.between(0, 99)
    return spell(pair) if dice.chance(80) else f"{pair:02}"


def mail(dice: Dice, first: str, last: str, rule: str = "mail.user") -> str:
    """The part of an address of mail before its @, made of a name."""
    a, b = slug(first), slug(last)
    if rule == "mail.user":
        a, b = a.replace("-", ""), b.replace("-", "")
    return Form(dice, {"a": a, "b": b, "i": a[0]}).text(rule)


def domain(dice: Dice, town: Town) -> str:
    """The domain of a hospital or practice in a town."""
    return Form(dice, {"slug": slug(town.name), "end": town.country.lower()}).text("net.domain")
