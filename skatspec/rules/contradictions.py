"""What a profile may not say although each key has a possible value, refused with its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skatspec.errors import ProfileError
from skatspec.rules.match import NO_BONUS, STEP, WITH_BONUS, compile_lengths
from skatspec.rules.profile import Profile, available

Path = tuple[str, ...]


def refuse(profile: Profile, path: Path, text: str, *others: Path) -> ProfileError:
    """Build the F006 error at the YAML line of `path`, or of another key that it contradicts.

    Of the keys that cannot both be, the one that stands in a user's own file is named.
    """
    places = [_place(profile, one) for one in (path, *others)]
    own = [place for place in places if place[0] not in available()]
    source, line = (own or places)[0]
    return ProfileError("F006", f"{'.'.join(path)}: {text}", source, line)


def _place(profile: Profile, path: Path) -> tuple[str, int]:
    while path and path not in profile.places:
        path = path[:-1]
    return profile.places.get(path, (profile.name, 0))


def check_deck(profile: Profile, total: int) -> None:
    """Refuse thresholds that the deck's card points cannot meet, and packets that deal no hands."""
    _check_packets(profile)
    winning = profile.data["winning"]
    if winning["points"] > total:
        text = f"nobody can win: the deck holds {total} card points"
        raise refuse(profile, ("winning", "points"), text)
    if winning["schneider"] >= total - winning["schneider"]:
        text = "both parties could be Schneider at once"
        raise refuse(profile, ("winning", "schneider"), text)


def _check_packets(profile: Profile) -> None:
    """Refuse packets that do not deal a hand to each player and the skat once."""
    table = profile.data["table"]
    packets = table["packets"]
    dealt = sum(packet for packet in packets if packet != "skat")
    if dealt != table["hand"] or packets.count("skat") != 1:
        text = f"the packets make {dealt} cards a hand, not {table['hand']}"
        if packets.count("skat") != 1:
            text = "the skat is dealt once"
        raise refuse(profile, ("table", "packets"), text)


def check_announcements(profile: Profile) -> None:
    """Refuse an announcement that is allowed and can never be made."""
    rules = profile.data["announcements"]
    for kind in ("suit", "grand", "null"):
        words = {word: rules[kind][word] for word in rules["allowed"] if word in rules[kind]}
        sayable = {*rules["allowed"], *(one for spec in words.values() for one in spec["includes"])}
        for word, spec in words.items():
            missing = [one for one in spec["requires"] if one not in sayable]
            if missing:
                text = f"{word} is allowed, and needs {missing[0]}, which is not"
                here = ("announcements", kind, word, "requires")
                raise refuse(profile, here, text, ("announcements", "allowed"))
        _check_spitze(profile, kind, words)


def _check_spitze(profile: Profile, kind: str, words: Mapping[str, Any]) -> None:
    """Refuse a promise of the lowest trump in a game that has none."""
    for name, contract in profile.data["contracts"].items():
        if "spitze" in words and contract["kind"] == kind and not contract["trumps"]:
            text = f"{name} has no trumps, and so no lowest one to promise"
            here = ("announcements", kind, "spitze")
            raise refuse(profile, here, text, ("contracts", name, "trumps"))


def check_bids(profile: Profile, bids: tuple[int, ...]) -> None:
    """Refuse a ladder that ends before its first value."""
    if not bids:
        raise refuse(profile, ("bids", "maximum"), "no game is worth so little: no bid is left")


def check_variants(profile: Profile, bids: tuple[int, ...]) -> None:
    """Refuse variants whose keys contradict each other, or the contracts and bids."""
    variants, contracts = profile.data["variants"], profile.data["contracts"]
    if contracts[variants["revolution"]["cards"]]["kind"] != "null":
        text = "Revolution is a Null: its cards are those of a Null"
        raise refuse(profile, ("variants", "revolution", "cards"), text)
    if not contracts[variants["ramsch"]["cards"]]["trumps"]:
        text = "Ramsch has trumps: its cards are those of a game that has"
        raise refuse(profile, ("variants", "ramsch", "cards"), text)
    kontra = variants["kontra"]
    if kontra["who"] == "bidder" and kontra["bidder_said"] > bids[-1]:
        text = f"nobody can have bid that: the highest bid is {bids[-1]}"
        raise refuse(profile, ("variants", "kontra", "bidder_said"), text, ("bids", "maximum"))


def check_match(profile: Profile) -> None:
    """Refuse a match whose count has no bonus to add, or whose bounds leave nothing between."""
    match = profile.data["match"]
    if match["system"] in WITH_BONUS and match["bonus"] == NO_BONUS:
        text = f"{match['system']} adds a bonus for games won and lost, and match.bonus is none"
        raise refuse(profile, ("match", "system"), text, ("match", "bonus"))
    _check_seats(profile)
    deals = match["deals"]
    if not isinstance(deals, Mapping) or STEP not in deals:
        return
    least, most, usual = deals["least"], deals["most"], deals["usual"]
    here = ("match", "deals")
    if least > most:
        text = f"no match is that long: the most is {most} deals"
        raise refuse(profile, (*here, "least"), text, (*here, "most"))
    if not compile_lengths(deals).allows(usual, profile.data["table"]["players"]):
        text = f"{usual} is not among {least} to {most} in steps of {deals[STEP]}"
        others = ((*here, word) for word in ("least", "most", STEP))
        raise refuse(profile, (*here, "usual"), text, *others)


def _check_seats(profile: Profile) -> None:
    """Refuse a table with fewer seats than it needs, or more than there is use for."""
    tables, players = profile.data["match"]["tables"], profile.data["table"]["players"]
    least, most = tables["least"], tables.get("most")
    here = ("match", "tables")
    if most is not None and least > most:
        text = f"no table has so many players: the most is {most}"
        raise refuse(profile, (*here, "least"), text, (*here, "most"))
    if profile.data["table"]["sits_out"] == "nobody" and most != players:
        text = f"{players} players play and nobody sits out: a table has no more"
        raise refuse(profile, (*here, "most"), text, ("table", "sits_out"))
