"""XSkat logs become blocks that hold what is printed, and what cannot be read stays local."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skatspec.cards import ALL, BY_NAME, HIDDEN, mask, names
from skatspec.diagnostics import Diagnostic, message
from skatspec.formats.lines import Lines, from_text, open_lines
from skatspec.formats.xskat.blocks import GIFT, PASSED, PLAYED, Block, BrokenBlock, read_blocks
from skatspec.formats.xskat.rows import Row, names_of, plain, raw_columns
from skatspec.formats.xskat.words import DECKS
from skatspec.record import HAND, OUVERT
from tests.shared import SHARED, needs_shared

LOGS = SHARED / "data" / "xskat"
MODES = sorted(LOGS.glob("*.log"))
HUMAN = sorted((LOGS / "human").glob("*.log"))
GAMES = {"german-cards-fmt": 54, "german": 59, "long": 412, "save-duplicates": 97}

SUIT_GAME = """\
    Anna      _Berta_       Carl    
                __                  
----------------------------------------
  CLUB J      Club 10     Diamond_J   
  Diamond_7   Diamond A   CLUB A      
  Club 7      Heart J     SPADE J     
  Club Q      Heart 9     CLUB K      
  Spade 8     Spade Q     SPADE A     
  Spade K     Diamond Q   SPADE 10    
  Heart 7     Diamond K   SPADE 7     
  Diamond 9   Diamond 10  SPADE 9     
  Heart 8     Heart 10    CLUB 8      
  Heart Q     Heart A     CLUB 9      
---- random_seed 1001 0 2 L ------------
  CLUB J      HEART J     SPADE J     
  CLUB Q      CLUB 10     DIAMOND J   
  CLUB 7      Spade Q     CLUB A      
  Spade K     Heart A     CLUB K      
  Spade 8     Heart 10    CLUB 9      
  Heart Q     Heart 9     CLUB 8      
  Heart 8     Diamond A   Spade A     
  Heart 7     Diamond 10  Spade 10    
  Diamond 9   Diamond K   Spade 9     
  Diamond 7   Diamond Q   Spade 7     
----------------------------------------
Skat is: Diamond 8,Heart K
Skat was: Spade 7,Club 8
Last bid: 18
Carl played Club
Won with: 106 points
========================================
"""  # noqa: W291 - the columns are as wide as the program writes them


def read(text: str) -> tuple[list[Block | BrokenBlock], Lines]:
    lines = from_text(text)
    return list(read_blocks(lines)), lines


def one(text: str) -> Block:
    found, lines = read(text)
    assert len(found) == 1 and isinstance(found[0], Block), found
    assert lines.findings == []
    return found[0]


def fault(text: str) -> Diagnostic:
    found, _ = read(text)
    broken = [block for block in found if isinstance(block, BrokenBlock)]
    assert len(broken) == 1
    assert "{" not in message(broken[0].findings[0])
    return broken[0].findings[0]


def changed(old: str, new: str, text: str = SUIT_GAME) -> str:
    assert old in text
    return text.replace(old, new, 1)


# --- one block ----------------------------------------------------------------------------


def test_a_block_holds_every_part_with_its_line() -> None:
    block = one(SUIT_GAME)
    assert [name.full for name in block.names] == ["Anna", "Berta", "Carl"]
    assert [name.underlined for name in block.names] == [False, True, False]
    assert block.kind == PLAYED and len(block.rows) == 10
    first, second = block.rows[:2]
    assert [cell.card for cell in first.cells] == [BY_NAME[c] for c in ("CJ", "CT", "DJ")]
    assert (first.leader, first.winner, first.line) == (2, 0, 4)
    assert (second.leader, second.winner) == (0, 2)
    # A leader who wins has capitals and no underscore.
    assert (block.rows[2].leader, block.rows[2].winner) == (2, 2)
    seed = block.seed
    assert seed is not None
    assert (seed.line, seed.seed, seed.skipped, seed.dealer, seed.rotation) == (
        14,
        "1001",
        0,
        1,
        "L",
    )
    assert block.hands_line == 15
    assert names(block.hand(2)) == "SJ DJ CA CK C9 C8 SA ST S9 S7"
    assert [cell.capitals for cell in block.hands[0]] == [True] * 3 + [False] * 7
    assert names(block.skat_is.cards) == "D8 HK" and block.skat_is.line == 26
    assert block.skat_was is not None and names(block.skat_was.cards) == "S7 C8"
    assert block.last_bid is not None and block.last_bid.value == 18
    played = block.contract
    assert played is not None
    assert (played.player, played.contract, played.won, played.line) == (2, "clubs", None, 29)
    assert block.modifier is None and block.bits == 0
    assert block.result is not None
    assert (block.result.won, block.result.points, block.result.line) == (True, 106, 30)
    assert (block.language, block.deck) == ("en", "french")
    assert block.text + "\n" == SUIT_GAME


def test_the_place_of_a_cell_is_its_column_in_the_file() -> None:
    block = one("\n\n" + SUIT_GAME)
    span = block.cell_span(block.rows[0].line, 1)
    line = ("\n\n" + SUIT_GAME).split("\n")[span.line - 1]
    assert line[span.column - 1 : span.end_column - 1] == "Club 10"


def struck(text: str) -> str:
    """Return rows as -fmt writes them: what is led underlined, what won bold."""
    out = []
    for cell in text.split("|"):
        if "_" in cell:
            out.append("".join("_\b" + ("" if c == "_" else c) + " " * (c == "_") for c in cell))
        elif cell.isupper():
            out.append("".join(f"{c}\b{c}" for c in cell.title()))
        else:
            out.append(cell)
    return "".join(out)


def test_backspaces_say_the_same_as_capitals_and_underscores() -> None:
    row = "  |CLUB J|      |Club 10|     |Diamond_J|   "
    text = changed(row.replace("|", ""), struck(row))
    assert "\b" in text
    block = one(text)
    assert block.rows == one(SUIT_GAME).rows
    span = block.cell_span(block.rows[0].line, 2)
    raw = text.split("\n")[span.line - 1]
    assert plain(raw[span.column - 1 : span.end_column - 1]) == "Diamond_J"


@given(st.text(alphabet="ab_ \b", max_size=20))
def test_every_plain_column_lies_in_the_raw_line(text: str) -> None:
    shown = plain(text)
    for at in range(len(shown)):
        begin, end = raw_columns(text, at, at + 1)
        assert plain(text[begin:end]) == shown[at]


def test_words_of_both_languages_and_both_decks_are_read() -> None:
    german = {
        "Diamond": "Karo", "Heart": "Herz", "Spade": "Pik", "Club": "Kreuz", " J": " B",
        "_J": "_B", " Q": " D", "Skat is": "Im Skat ist", "Skat was": "Im Skat war",
        "Last bid": "Gereizt bis", "played": "spielte", "Won with": "Gewonnen mit",
        "points": "Augen",
    }  # fmt: skip
    cards = {"Karo": "Schellen", "Herz": "Rot", "Pik": "Grün", "Kreuz": "Eicheln", " B": " U",
             "_B": "_U", " D": " O"}  # fmt: skip

    def translated(text: str, table: dict[str, str]) -> str:
        lines = []
        for line in text.split("\n"):
            cells = [line[:2], *(line[at : at + 12].rstrip() for at in range(2, 38, 12))]
            if not line.startswith("  ") or not cells[1][:1].isalpha():
                cells, line = [line], ""
            for old, new in table.items():
                cells = [c.replace(old, new).replace(old.upper(), new.upper()) for c in cells]
            if len(cells) > 1:
                cells = [cells[0], *(cell.ljust(12) for cell in cells[1:])]
            lines.append("".join(cells))
        return "\n".join(lines)

    names_, rest = SUIT_GAME.split("-\n", 1)
    french_text = names_ + "-\n" + translated(rest, german)
    leaves_text = names_ + "-\n" + translated(translated(rest, german), cards)
    english, french, leaves = one(SUIT_GAME), one(french_text), one(leaves_text)
    assert "Grün" in leaves_text and "PIK" in french_text
    for block, language, deck in ((french, "de", "french"), (leaves, "de", "german")):
        assert (block.language, block.deck) == (language, deck)
        assert [block.hand(p) for p in range(3)] == [english.hand(p) for p in range(3)]
        assert block.contract is not None and block.contract.contract == "clubs"
        assert [r.winner for r in block.rows] == [r.winner for r in english.rows]
    together, _ = read(leaves_text + SUIT_GAME + french_text)
    assert [b.language for b in together if isinstance(b, Block)] == ["de", "en", "de"]


def test_german_card_names_in_latin_1_are_read() -> None:
    leaves = changed("SPADE A     ", "GRÜN A      ")
    assert next(read_blocks(Lines([leaves.encode("latin-1")]))) == one(leaves)


def test_a_card_of_another_language_or_deck_is_no_card() -> None:
    # D is Dame in Karo only.
    found = fault(changed("Diamond Q,", "Diamond D,", changed("Diamond 8,", "Diamond Q,")))
    assert found.code == "N004" and found.span.line == 26
    found = fault(changed("Diamond_7   ", "Karo_Q      "))
    assert (found.code, found.span, found.read) == ("N004", (5, 3, 9), "Karo_Q")


def test_no_word_names_two_cards() -> None:
    texts = [text for deck in DECKS for text in deck.cards()]
    assert len(texts) == len(set(texts)) == 4 * 32


# --- names --------------------------------------------------------------------------------


def named(upper: str, lower: str, player: str) -> Block:
    text = changed("    Anna      _Berta_       Carl    ", upper)
    text = changed("                __                  ", lower, text)
    return one(changed("Carl played", f"{player} played", text))


@pytest.mark.parametrize(
    ("upper", "lower", "player", "expected", "underlined"),
    [
        ("    _x_          __          y_     ", " " * 36, "y_", "_x_|__|y_", "nnn"),
        ("   __x__        ____         y_     ", "     __          __" + " " * 17,
         "__", "_x_|__|y_", "yyn"),
        (" Maximilia      Anna        _J._    ", "     n          Lena        _R._    ",
         "Maximilia n", "Maximilia n|Anna Lena|J. R.", "nny"),
        ("    Skat      Computer   _Computer_ ", "    is:         left       _right_  ",
         "Skat is:", "Skat is:|Computer left|Computer right", "nny"),
        ("    _a_          b           c      ", "    _b_                             ",
         "_a_ _b_", "_a_ _b_|b|c", "nnn"),
        ("   Jürgen     Łukasz      Zoë     ", " " * 36, "Łukasz", "Jürgen|Łukasz|Zoë", "nnn"),
    ],
)  # fmt: skip
def test_names_of_any_kind_are_read(
    upper: str, lower: str, player: str, expected: str, underlined: str
) -> None:
    block = named(upper, lower, player)
    read_names = block.names
    assert "|".join(name.full for name in read_names) == expected
    assert "".join("y" if name.underlined else "n" for name in read_names) == underlined
    assert block.contract is not None
    assert read_names[block.contract.players[0]].full == player


def test_a_name_cut_inside_a_letter_still_names_its_player() -> None:
    cut = "Żółćżółć".encode()[:9]
    head = b" " + cut + b"      Bert        Carl    \n" + b" " * 36
    data = SUIT_GAME.encode().split(b"\n", 2)[2].replace(b"Carl played", cut + b" played")
    block = next(read_blocks(Lines([head + b"\n" + data])))
    assert isinstance(block, Block)
    assert block.contract is not None and block.contract.player == 0


def test_two_players_of_one_name_are_both_named() -> None:
    block = named("    Carl        Bert        Carl    ", " " * 36, "Carl")
    assert block.contract is not None
    assert block.contract.players == (0, 2) and block.contract.player is None


def test_names_wider_than_their_columns_are_refused() -> None:
    assert names_of(" " * 30 + "Much too wide", "") is None
    assert fault(changed("   Carl    \n", "   Carl and his friends\n")).code == "N001"


# --- deals of another form ----------------------------------------------------------------


def passed(text: str = SUIT_GAME, word: str = "Pass") -> str:
    lines = text.split("\n")
    row = f"  _{word}_".ljust(14) + word.ljust(12) + word.ljust(12)
    return "\n".join([*lines[:3], row, *lines[13:26], lines[-2], ""])


@pytest.mark.parametrize("word", ["Pass", "Passe"])
def test_a_passed_deal_has_its_skat_and_nothing_else(word: str) -> None:
    block = one(passed(word=word))
    assert block.kind == PASSED and block.contract is None and block.rows[0].leader == 0
    assert fault(changed("Skat is: Diamond 8,Heart K\n",
                         "Skat is: Diamond 8,Heart K\nWon\n", passed())).code == "N001"  # fmt: skip


def test_a_gift_is_one_row_of_words() -> None:
    lines = SUIT_GAME.split("\n")
    row = "  _Schenken_  Accept      Schenken    "
    text = "\n".join([*lines[:3], row, *lines[13:29], "Played Hand", "Won", lines[-2], ""])
    block = one(text)
    assert block.kind == GIFT and block.bits == HAND
    assert block.result is not None and block.result.points is None
    assert [cell.word for cell in block.rows[0].cells] == ["gift", "accept", "gift"]
    assert fault(changed(row, "  _Schenken_  Accept      Club 7      ", text)).code == "N001"


def test_a_deal_without_a_seed_has_dashes_there() -> None:
    block = one(changed("---- random_seed 1001 0 2 L ------------", "-" * 40))
    assert block.seed is None and block.rows[0].leader == 2


def test_pushes_tell_who_left_the_skat_lying() -> None:
    block = one(changed("Last bid: 18\nCarl played Club\nWon", (
        "FH passed: Club 7,Club 8\nMH_passed: Club 7,Club 8\nRH passed: Diamond 8,Heart K\n"
        "Carl lost the Ramsch\nLost")))  # fmt: skip
    assert [(p.seat, p.unseen, names(p.cards)) for p in block.pushes] == [
        (0, False, "C7 C8"), (1, True, "C7 C8"), (2, False, "D8 HK"),
    ]  # fmt: skip
    assert block.contract is not None and block.contract.won is False


@pytest.mark.parametrize("word", ["Nobody lost the Ramsch", "Niemand verlor den Ramsch"])
def test_a_ramsch_that_nobody_lost_has_no_points(word: str) -> None:
    block = one(changed("Carl played Club\nWon with: 106 points", word))
    assert block.contract is not None and block.contract.players == ()
    assert block.result is None


def test_the_spitze_card_is_the_one_that_nothing_names() -> None:
    text = SUIT_GAME.replace("Club 7 ", "Spitze !").replace("CLUB 7 ", "SPITZE !")
    text = text.replace("Spitze !     Heart J", "Spitze !    Heart J").replace(
        "! " * 1 + "    Spade Q", "!    Spade Q"
    )
    text = text.replace("SPITZE !     ", "SPITZE !    ")
    block = one(text)
    assert block.spitze == BY_NAME["C7"] and BY_NAME["C7"] in block.hand(0)
    assert block.rows[2].cells[0].spitze and block.rows[2].cells[0].card is None
    unclear = one(changed("Skat is: Diamond 8,Heart K", "Skat is: Diamond 8,Diamond 8", text))
    assert unclear.spitze is None and HIDDEN in unclear.hand(0)


def test_modifiers_say_what_is_written_and_not_what_it_includes() -> None:
    with_line = "Carl played Club\nPlayed ouvert\n"
    assert one(changed("Carl played Club\n", with_line)).bits == OUVERT
    text = changed("Carl played Club\n", "Carl spielte Null\nOuvert Hand gespielt\n")
    assert one(text).bits == OUVERT | HAND


# --- what cannot be read ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("  Club 7      Heart J ", "  Club 7      Heart X ", "N004", 6),
        ("  Club 7      Heart J     SPADE J     ", "what is this?", "N001", 6),
        ("  Club Q      Heart 9     CLUB K      ", "  Club Q      Heart 9", "N001", 7),
        ("  Diamond 7   Diamond Q   Spade 7     \n", "", "N011", 24),
        ("  CLUB J      HEART J ", "  Club_J      HEART J ", "N001", 15),
        ("  Club 7      Heart J     SPADE J     ", "  Pass        Pass        Pass", "N001", 6),
        ("Skat is: Diamond 8,", "Skat is: DIAMOND 8,", "N004", 26),
        ("random_seed 1001 0 2", "random_seed 1001 0 4", "N001", 14),
        ("Skat is: Diamond 8,Heart K\n", "", "N011", 26),
        ("Skat is: Diamond 8,Heart K", "Skat is: Diamond 8", "N004", 26),
        ("Last bid: 18", "Last bid: 18.5", "N001", 28),
        ("Last bid: 18", "Last bid: " + "9" * 5000, "N001", 28),
        ("Last bid: 18", "Last bid: 18\nLast bid: 18", "N006", 29),
        ("Carl played Club", "Carla played Club", "N001", 29),
        ("Carl played Club", "Carl played Clubs", "N001", 29),
        ("Carl played Club\n", "", "N011", 30),
        ("Won with: 106 points\n", "", "N011", 30),
        ("Won with: 106 points", "Won with: 106 Augen", "N001", 30),
        ("Won with: 106 points", "Won with: 106 points\nand so on", "N001", 31),
    ],
)
def test_a_broken_block_says_where_and_the_next_one_is_read(
    old: str, new: str, code: str, line: int
) -> None:
    broken = changed(old, new)
    found = fault(broken)
    assert (found.code, found.span.line) == (code, line)
    assert found.expected
    blocks, lines = read(broken + SUIT_GAME)
    assert [type(block) for block in blocks] == [BrokenBlock, Block]
    assert blocks[1].text + "\n" == SUIT_GAME and lines.findings == []
    assert blocks[0].text + "\n" == broken


@pytest.mark.parametrize("kept", range(1, len(SUIT_GAME.split("\n")) - 1))
def test_a_block_cut_anywhere_leaves_the_next_one_whole(kept: int) -> None:
    head = "\n".join(SUIT_GAME.split("\n")[:kept]) + "\n"
    blocks, lines = read(head + SUIT_GAME)
    assert isinstance(blocks[-1], Block) and blocks[-1].text + "\n" == SUIT_GAME
    reports = [one.code for b in blocks if isinstance(b, BrokenBlock) for one in b.findings]
    reports += [one.code for one in lines.findings]
    # Two lines of names alone are junk rather than a block.
    assert reports == (["N003"] if kept <= 2 else ["N002"])
    blocks, lines = read(SUIT_GAME + head)
    assert isinstance(blocks[0], Block) and len(blocks) + len(lines.findings) == 2
    tail = "\n".join(SUIT_GAME.split("\n")[kept:])
    blocks, lines = read(tail + SUIT_GAME)
    assert isinstance(blocks[-1], Block) and len(blocks) + len(lines.findings) <= 2


@pytest.mark.parametrize(
    "upper", ["    Anna      _Berta_       Carl    ", "  Jürgen     Łukasz       Zoë    "]
)
def test_a_block_cut_inside_a_line_leaves_the_next_one_whole(upper: str) -> None:
    text = changed("    Anna      _Berta_       Carl    ", upper)
    text = changed("Carl played", upper.split()[2] + " played", text)
    expected = one(text)
    for kept in range(1, len(SUIT_GAME) - 40):
        if SUIT_GAME[:kept].endswith("\n"):
            continue
        blocks, lines = read(SUIT_GAME[:kept] + text)
        last = blocks[-1]
        if not SUIT_GAME[:kept].rpartition("\n")[2].strip():
            # Blanks before a name line may be taken for a part of it.
            continue
        assert isinstance(last, Block)
        assert (last.names, last.rows) == (expected.names, moved(expected.rows, last))
        reports = [
            found.code for b in blocks[:-1] if isinstance(b, BrokenBlock) for found in b.findings
        ]
        assert [*reports, *(found.code for found in lines.findings)] in (["N002"], ["N003"])


def moved(rows: tuple[Row, ...], block: Block) -> tuple[Row, ...]:
    return tuple(Row(row.line + block.line - 1, row.cells) for row in rows)


def test_text_between_blocks_is_junk_reported_once_a_run() -> None:
    blocks, lines = read("36 deals\n\nplayed\n" + SUIT_GAME + "\n\n" + SUIT_GAME + "the end\n")
    assert [type(block) for block in blocks] == [Block, Block]
    assert [(f.code, f.span.line, f.read) for f in lines.findings] == [
        ("N003", 1, "36 deals +1"),
        ("N003", 68, "the end"),
    ]


def test_doubled_blocks_are_equal_but_for_their_lines() -> None:
    blocks, _ = read(SUIT_GAME * 2)
    assert [block.text for block in blocks] == [blocks[0].text] * 2
    assert [block.line for block in blocks] == [1, 32]


def test_blanks_at_line_ends_may_be_lost() -> None:
    stripped = "\n".join(line.rstrip() for line in SUIT_GAME.split("\n"))
    assert one(stripped).rows == one(SUIT_GAME).rows


def test_endless_text_keeps_memory_flat() -> None:
    def chunks() -> Iterator[bytes]:
        yield from (b"  Club 7      Club 8      Club 9\n" * 1000 for _ in range(100))
        yield from (b"nothing of a game\n" * 1000 for _ in range(100))
        yield SUIT_GAME.encode()

    tracemalloc.start()
    lines = Lines(chunks())
    blocks = list(read_blocks(lines))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(blocks[-1], Block)
    assert [one.code for b in blocks if isinstance(b, BrokenBlock) for one in b.findings] == [
        "E005"
    ]
    assert peak < 4_000_000


@given(st.text(alphabet=st.sampled_from("=-_ \n\bCluJ7, :§") | st.characters(), max_size=300))
def test_arbitrary_text_never_raises(text: str) -> None:
    read(text + "\n" + SUIT_GAME[:500] + text)


def test_damaged_blocks_never_raise_and_never_swallow_the_next() -> None:
    dice = random.Random(7)
    for _ in range(2000):
        text = list(SUIT_GAME)
        for _ in range(dice.randint(1, 6)):
            at = dice.randrange(len(text))
            choice = dice.randrange(3)
            if choice == 0:
                del text[at : at + dice.randint(1, 60)]
            elif choice == 1:
                text[at] = dice.choice("\n\b _-=XJ7")
            else:
                text.insert(at, dice.choice(["\n", "=" * 40 + "\n", "-" * 40 + "\n", "_"]))
        damaged = "".join(text).rstrip("\n") + "\n"
        blocks, lines = read(damaged + SUIT_GAME * 2)
        assert isinstance(blocks[-1], Block)
        for block in blocks:
            if isinstance(block, BrokenBlock):
                for found in block.findings:
                    assert message(found)
                    assert found.span.column < found.span.end_column
        del lines


# --- the real logs ------------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize("path", MODES + HUMAN, ids=lambda path: path.stem)
def test_every_real_log_is_read_whole(path: object) -> None:
    lines = open_lines(str(path))
    count: Counter[str] = Counter()
    for block in read_blocks(lines):
        assert isinstance(block, Block), block
        assert mask([c for p in range(3) for c in block.hand(p)] + [*block.skat_is.cards]) == ALL
        count[block.kind] += 1
        leads = {row.leader for row in block.rows[:1]}
        assert None not in leads
        if block.kind == PLAYED:
            assert 1 <= len(block.rows) <= 10
            played = block.contract
            assert played is not None and len(played.players) == (1 if block.result else 0)
    stem = str(path).rsplit("/", 1)[1].removesuffix(".log")
    if stem in GAMES:
        assert sum(count.values()) == GAMES[stem]
    elif path in MODES:
        assert sum(count.values()) == 350
    codes = [finding.code for finding in lines.findings]
    assert codes == (["E002"] if stem == "german-cards-fmt" else [])


@needs_shared
def test_every_played_card_was_in_its_players_hand() -> None:
    # Columns are players in rows and hands alike; words apart, this fixes the alphabets.
    for path in MODES + HUMAN:
        for block in read_blocks(open_lines(path)):
            assert isinstance(block, Block)
            if block.kind != PLAYED:
                continue
            for player in range(3):
                spitze = block.spitze
                cards = [row.cells[player] for row in block.rows]
                played = [spitze if c.card is None else c.card for c in cards]
                assert len(set(played)) == len(played)
                assert set(played) <= set(block.hand(player))


@needs_shared
def test_copies_saved_by_hand_stand_next_to_their_block() -> None:
    texts = [b.text for b in read_blocks(open_lines(LOGS / "human" / "save-duplicates.log"))]
    assert (len(texts), len(list(groupby(texts)))) == (97, 68)
