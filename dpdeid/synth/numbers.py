"""Identifiers, with their check digits where their kind has any."""

from __future__ import annotations

import datetime as dt

from dpdeid.labels import Sex
from dpdeid.substitute.checks import ean_digit, iban_digits, luhn_digit, nir_key, niss_key
from dpdeid.synth.dice import Dice


def nir(dice: Dice, sex: Sex, born: dt.date, birthplace: str) -> str:
    """A 15-digit NIR with its key; `birthplace` is an INSEE code, or 99 and a country's number."""
    when = f"{born.year % 100:02}{born.month:02}"
    body = f"{1 if sex is Sex.MALE else 2}{when}{birthplace}{dice.between(1, 999):03}"
    return body + nir_key(body)


def spaced_nir(dice: Dice, number: str) -> str:
    """A NIR as somebody writes it: spaced or not, with its key or without."""
    s, y, m, d, c, o, k = (
        number[0],
        number[1:3],
        number[3:5],
        number[5:7],
        number[7:10],
        number[10:13],
        number[13:],
    )
    spaced = f"{s} {y} {m} {d} {c} {o}"
    return dice.choice(
        (
            number,
            number,
            f"{spaced} {k}",
            f"{spaced} {k}",
            f"{spaced} {k}",
            f"{spaced}/{k}",
            spaced,
            number[:13],
            f"{number[:13]} {k}",
            f"{s}.{y}.{m}.{d}.{c}.{o}.{k}",
        )
    )


def foreign_ssn(dice: Dice, country: str, born: dt.date, sex: Sex) -> str:
    """The social security number of another country: AVS, Belgian NISS, Luxembourg, Québec."""
    if country == "CH":
        body = "756" + dice.digits(9)
        code = body + ean_digit(body)
        return dice.choice((f"{code[:3]}.{code[3:7]}.{code[7:11]}.{code[11:]}",) * 3 + (code,))
    if country == "BE":
        body = f"{born:%y%m%d}{dice.between(1, 998):03}"
        key = niss_key(body, born.year > 1999)
        return dice.choice(
            (
                f"{body[:2]}.{body[2:4]}.{body[4:6]}-{body[6:]}.{key}",
                f"{body[:6]}-{body[6:]}-{key}",
                body + key,
            )
        )
    if country == "LU":
        return dice.choice((f"{born:%Y%m%d}{dice.digits(5)}", f"{born:%Y %m %d} {dice.digits(5)}"))
    month = born.month + (50 if sex is Sex.FEMALE else 0)
    return f"{dice.letters(4)} {born.year % 100:02}{month:02} {born.day:02}{dice.digits(2)}"


def rpps(dice: Dice) -> str:
    """An 11-digit RPPS number with its Luhn digit."""
    body = "10" + dice.digits(8)
    number = body + luhn_digit(body)
    return number if dice.chance(80) else f"{number[:2]} {number[2:5]} {number[5:8]} {number[8:]}"


def provider(dice: Dice, country: str, department: str) -> str:
    """The number of a caregiver: RPPS, ADELI, GLN, RCC or INAMI."""
    if country == "CH":
        body = "760100" + dice.digits(6)
        gln = body + ean_digit(body)
        return dice.choice(
            (
                gln,
                gln,
                f"{dice.letters(1)} {dice.digits(4)}.{dice.digits(2)}",
                f"{dice.letters(1)}{dice.digits(6)}",
            )
        )
    if country == "BE":
        return f"1-{dice.digits(5)}-{dice.digits(2)}-{dice.digits(3)}"
    if country in ("LU", "CA"):
        return dice.digits(dice.between(5, 6))
    adeli = _two(department) + dice.digits(7)
    return dice.choice(
        (
            rpps(dice),
            rpps(dice),
            rpps(dice),
            adeli,
            f"{adeli[:2]} {adeli[2]} {adeli[3:8]} {adeli[8]}",
        )
    )


def finess(dice: Dice, department: str) -> str:
    """A FINESS number of nine digits with its Luhn digit."""
    body = _two(department) + "0" + dice.digits(5)
    number = body + luhn_digit(body)
    return number if dice.chance(75) else f"{number[:3]} {number[3:6]} {number[6:]}"


def _two(department: str) -> str:
    """Two digits for a department; Corsica is 20, and so is what is abroad."""
    return department[:2] if department[:2].isdigit() else "20"


def iban(dice: Dice, country: str) -> str:
    """An IBAN with its check digits."""
    length = {"FR": 23, "CH": 17, "BE": 12, "LU": 16}.get(country, 23)
    code = country if country in ("CH", "BE", "LU") else "FR"
    account = dice.digits(length)
    number = f"{code}{iban_digits(code, account)}{account}"
    return (
        " ".join(number[at : at + 4] for at in range(0, len(number), 4))
        if dice.chance(70)
        else number
    )


def patient_id(dice: Dice, country: str) -> str:
    """A hospital's patient number."""
    d = dice.digits
    forms = (
        f"800{d(7)}",
        d(10),
        d(9),
        d(8),
        d(7),
        f"0{d(9)}",
        f"{d(2)}-{d(7)}",
        f"{dice.letters(3)}-{d(6)}",
        f"{dice.letters(1)}{d(7)}",
        f"{d(4)} {d(3)} {d(3)}",
        f"{d(2)}.{d(3)}.{d(3)}",
    )
    return dice.choice(forms) if country == "FR" or dice.chance(60) else d(dice.between(5, 8))


def visit_id(dice: Dice, year: int) -> str:
    """The number of a stay."""
    y, d = f"{year % 100:02}", dice.digits
    return dice.choice(
        (
            f"{y}{d(7)}",
            f"{y}{d(6)}",
            d(9),
            d(8),
            f"{y}-{d(6)}",
            f"U{y}-{d(6)}",
            f"{y}{dice.letters(2)}{d(5)}",
            f"{y}{d(4)}-{d(5)}",
            f"{d(3)} {d(2)} {d(4)}",
            f"HJ{y}{d(6)}",
        )
    )


def order_id(dice: Dice, year: int) -> str:
    """The number of a request, examination, sample or block."""
    y, d, two = f"{year % 100:02}", dice.digits, dice.letters(2)
    return dice.choice(
        (
            f"{y}{dice.choice('HTPBAC')}{d(5)}",
            f"{y}.{dice.choice('PH')}.{d(4)}",
            f"{two}{y}{d(4)}-{d(4)}",
            d(8),
            d(10),
            f"{y}{d(4)}-{d(4)}",
            f"B{y}{d(8)}",
            f"{dice.choice(('IRM', 'TDM', 'ECH', 'EMG', 'EEG', 'BIO'))}-{y}-{d(5)}",
            f"{d(4)} {d(4)}",
            f"{two} {y} {d(4)}",
            f"{y}-{d(4)}-{d(2)}",
            f"{dice.letters(1)} {y} {d(2)} {d(3)}",
            d(6),
        )
    )


def plate(dice: Dice) -> str:
    """A French number plate, new or old form."""
    return dice.choice(
        (
            f"{dice.letters(2)}-{dice.digits(3)}-{dice.letters(2)}",
            f"{dice.letters(2)} {dice.digits(3)} {dice.letters(2)}",
            f"{dice.digits(4)} {dice.letters(2)} {dice.between(10, 95)}",
        )
    )


def other_id(dice: Dice, year: int) -> str:
    """A lot, serial, file, claim or membership number."""
    d, y = dice.digits, f"{year % 100:02}"
    return dice.choice(
        (
            f"{dice.letters(2)}{d(4)}",
            f"{dice.letters(1)}{d(4)}",
            d(8),
            d(7),
            f"{dice.letters(2)}-{y}-{d(4)}",
            f"{y}/{dice.letters(1)}/{d(5)}",
            f"{year}/{d(5)}",
            f"{d(3)} {d(3)} {d(3)}",
            f"{dice.letters(3)}{d(6)}{dice.letters(1)}",
            f"{y}{dice.letters(1)}{d(2)}{dice.letters(1)}",
            f"{d(2)}-{d(5)}",
            f"{d(7)} {dice.letters(1)}",
            f"{y}-{d(3)}",
            f"{dice.letters(2)}-{d(7)}",
            f"{year}-{d(4)}",
        )
    )
