"""The looks at a match that rows ask for by name: what no expression can tell."""

from __future__ import annotations

from typing import Final

from dpdeid.detect.rules.codes import (
    evident_code,
    iban,
    likely_code,
    login,
    luhn,
    network_address,
    numbered_code,
    personal_phone,
    phone_form,
    social_security_key,
    social_security_number,
    solid_code,
    unknown_parts,
)
from dpdeid.detect.rules.dates import (
    compact_birth,
    full_date,
    real_date,
    real_day_and_month,
    real_range,
    real_spaced_date,
    rising_days,
    rising_list,
)
from dpdeid.detect.rules.people.name_words import (
    colleague,
    given_name_first,
    given_name_last,
    greeted_person,
    name_follows,
    no_word,
    practice,
    spelt_name,
    surname,
    unknown_initials,
    worker_before,
)
from dpdeid.detect.rules.places.place_words import (
    landscape,
    lower_case_place_of_care,
    named_after_somebody,
    named_body,
    place_of_care,
    shop_of_town,
    spot,
    town_of_zip,
)
from dpdeid.detect.rules.table import Check

PREDICATES: Final[dict[str, Check]] = {
    check.__name__: check
    for check in (
        full_date,
        real_date,
        real_spaced_date,
        real_day_and_month,
        rising_days,
        real_range,
        rising_list,
        compact_birth,
        phone_form,
        personal_phone,
        network_address,
        evident_code,
        likely_code,
        numbered_code,
        solid_code,
        social_security_number,
        social_security_key,
        luhn,
        iban,
        unknown_parts,
        login,
        spot,
        landscape,
        place_of_care,
        named_body,
        lower_case_place_of_care,
        named_after_somebody,
        shop_of_town,
        colleague,
        greeted_person,
        practice,
        surname,
        given_name_first,
        given_name_last,
        no_word,
        unknown_initials,
        spelt_name,
        name_follows,
        worker_before,
        town_of_zip,
    )
}
