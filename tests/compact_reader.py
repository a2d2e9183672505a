#!/usr/bin/env python3
"""A second reader of the compact image, to check the first with.

It was written from crates/table/FORMAT.md and the rules of English draughts alone, without sight of
the other reader or of what makes images. It is deliberately slow and obvious: what that page says,
in its words. It needs the standard library only.

    python3 tests/compact_reader.py IMAGE < positions

Each line of standard input is a FEN such as `B:WK19,K23:B12,K28`; for each it prints what the side
to move has: `win`, `draw` or `loss`, or `unknown` where there are more pieces than the image knows.
An image or a FEN that is not well formed: a message on standard error, and exit status 2.
"""

import re
import struct
import sys
from functools import lru_cache
from itertools import accumulate, combinations
from typing import Callable, NamedTuple
from zlib import crc32

LOSS, DRAW, WIN = -1, 0, 1
NAMES = {LOSS: "loss", DRAW: "draw", WIN: "win"}
remember = lru_cache(maxsize=2**15)  # only for speed: what was asked for lately is asked for again


def expect(condition: object, message: str) -> None:
    """Refuse the input with this message unless the condition holds."""
    if not condition:
        raise ValueError(message)


ROW = [s // 4 for s in range(32)]
COLUMN = [2 * (s % 4) + (1 if s // 4 % 2 == 0 else 0) for s in range(32)]
AT = {(ROW[s], COLUMN[s]): s for s in range(32)}
# The kind of a piece is the number of its set. The mover's men go up, to higher rows.
MAN, KING, ENEMY_MAN, ENEMY_KING = range(4)
MOVERS = range(ENEMY_MAN)
UP, DOWN = [(1, -1), (1, 1)], [(-1, -1), (-1, 1)]
# By kind and square: for each direction the neighbour, and the square behind it or None.
WAYS = [
    [
        [(AT[r + i, c + j], AT.get((r + 2 * i, c + 2 * j))) for i, j in way if (r + i, c + j) in AT]
        for r, c in AT
    ]
    for way in (UP, UP + DOWN, DOWN, UP + DOWN)
]


def distance(s: int, t: int) -> int:
    """The larger of the differences in rows and in columns."""
    return max(abs(ROW[s] - ROW[t]), abs(COLUMN[s] - COLUMN[t]))


@remember
def squares(word: int) -> list[int]:
    """The squares of a set, ascending."""
    return [s for s in range(32) if word >> s & 1]


class Position(NamedTuple):
    """Four sets of squares, each a word, as the side to move sees them, the mover."""

    men: int
    kings: int
    enemy_men: int
    enemy_kings: int

    def forces(self) -> tuple[int, ...]:
        """The number of pieces of each kind."""
        return tuple(s.bit_count() for s in self)

    def pieces(self, kinds: range = range(4)) -> list[tuple[int, int]]:
        """The square and the kind of each piece, of these kinds."""
        return [(s, kind) for kind in kinds for s in squares(self[kind])]

    def key(self) -> tuple[int, int]:
        """The two words from which all words of a position are drawn."""
        a, b = 0x243F6A88, 0x13198A2E
        for s in self:
            a, b = (a ^ s) * 0x9E3779B1 % 2**32, (b ^ s) * 0x85EBCA77 % 2**32
            a, b = a ^ a >> 15, b ^ b >> 13
        return a, b

    def empty(self, square: int) -> bool:
        """Whether nothing stands on the square."""
        return not (self.men | self.kings | self.enemy_men | self.enemy_kings) >> square & 1

    def lift(self, square: int) -> "Position":
        """The position without what stands on the square."""
        return Position(*(s & ~(1 << square) for s in self))

    def put(self, square: int, kind: int) -> "Position":
        """The position with a piece of the mover put on the square; a man is crowned on row 7."""
        if kind == MAN and ROW[square] < 7:
            return self._replace(men=self.men | 1 << square)
        return self._replace(kings=self.kings | 1 << square)

    @remember
    def turn(self) -> "Position":
        """The same board seen by the other side."""
        return Position(*(int(f"{s:032b}"[::-1], 2) for s in self[2:] + self[:2]))

    @remember
    def steps(self) -> list["Position"]:
        """The boards after the mover's moves without capture, forced captures aside; not turned."""
        ways = [(s, kind, to) for s, kind in self.pieces(MOVERS) for to, _ in WAYS[kind][s]]
        return [self.lift(s).put(to, kind) for s, kind, to in ways if self.empty(to)]

    @remember
    def captures(self) -> list["Position"]:
        """The boards after the mover's captures, each carried on to its end; not turned."""
        return sum((self.lift(s).captures_by(s, kind) for s, kind in self.pieces(MOVERS)), [])

    def captures_by(self, square: int, kind: int) -> list["Position"]:
        """The boards after the captures from a square by a piece that was lifted from there."""
        boards = []
        for over, behind in WAYS[kind][square]:
            enemy = (self.enemy_men | self.enemy_kings) >> over & 1
            if enemy and behind is not None and self.empty(behind):
                after, crowned = self.lift(over), kind == MAN and ROW[behind] == 7
                further = [] if crowned else after.captures_by(behind, kind)
                boards += further or [after.put(behind, kind)]
        return boards

    def quiet(self) -> bool:
        """Whether both sides have pieces and the mover cannot capture."""
        return sum(self[:2]) > 0 and sum(self[2:]) > 0 and not self.captures()


def parse_fen(text: str) -> Position:
    """The position that a FEN such as `B:WK19,K23:B12,K28` describes, seen by the side to move."""
    fen = re.fullmatch(r"([BW]):W(.*):B(.*)", text)
    expect(fen, f"FEN {text!r}: expected one such as B:WK19,K23:B12,K28")
    sets = [0, 0, 0, 0]  # as Black sees them
    for first, last_row, items in ((MAN, 7, fen[3]), (ENEMY_MAN, 0, fen[2])):
        for item in items.split(",") if items else []:
            piece = re.fullmatch(r"(K?)([1-9]|[12][0-9]|3[0-2])", item)
            expect(piece, f"FEN {text!r}: expected a square, 1 to 32, instead of {item!r}")
            square = int(piece[2]) - 1
            fits = not sum(sets) >> square & 1 and (piece[1] or ROW[square] != last_row)
            expect(fits, f"FEN {text!r}: {item} is on a taken square, or a man where it is crowned")
            sets[first + len(piece[1])] |= 1 << square
    return Position(*sets) if fen[1] == "B" else Position(*sets).turn()


def at_most(value: int, low: int, high: int) -> list[bool]:
    """Whether the value is at most low, at most low + 1, ..., at most high."""
    return [value <= i for i in range(low, high + 1)]


@remember
def of_piece(p: Position, square: int, kind: int) -> list[bool]:
    """The 24 features of a piece."""
    r, c = ROW[square], COLUMN[square]
    corner = min(distance(square, s) for s in (0, 4, 27, 31))
    free = sum(p.empty(to) for to, _ in WAYS[kind][square])
    features = at_most(r, 0, 6) + at_most(c, 0, 6) + [r + c == 7, r in (0, 7) or c in (0, 7)]
    return features + at_most(corner, 0, 3) + at_most(free, 0, 3)


@remember
def of_pair(a: tuple[int, int], b: tuple[int, int]) -> list[bool]:
    """The 35 features of two pieces."""
    dr, dc, apart = ROW[a[0]] - ROW[b[0]], COLUMN[a[0]] - COLUMN[b[0]], distance(a[0], b[0])
    left_a, left_b = (ROW[s] if kind == ENEMY_MAN else 7 - ROW[s] for s, kind in (a, b))
    races = {(MAN, ENEMY_KING): apart - left_a, (KING, ENEMY_MAN): apart - left_b}
    race = (races | {(MAN, ENEMY_MAN): left_a - left_b}).get((a[1], b[1]), 0)
    near = at_most(abs(dr), 0, 4) + at_most(abs(dc), 0, 4) + at_most(apart, 1, 5)
    return near + at_most(dr, -3, 2) + at_most(dc, -3, 3) + [dr % 2 == 1] + at_most(race, -3, 2)


@remember
def of_position(p: Position) -> list[bool]:
    """The 37 features of the whole position."""
    ours, theirs = p.steps(), p.turn().steps()
    ours_safe = [after for after in ours if not after.turn().captures()]
    theirs_safe = [after for after in theirs if not after.turn().captures()]
    features = [sum(numbers[s] for s, _ in p.pieces()) % 2 == 1 for numbers in (ROW, range(32))]
    features += [bool(p.turn().captures())] + at_most(len(ours), 0, 7) + at_most(len(theirs), 0, 7)
    features += at_most(len(ours_safe), 0, 4) + at_most(len(theirs_safe), 0, 5)
    features += [not any(after.captures() for after in ours_safe)]
    return features + at_most(len(ours) - len(theirs), -2, 3)


def feature(p: Position, number: int) -> bool:
    """Whether the feature with this number holds: of pieces, then of pairs, then of the whole."""
    pieces, pairs = p.pieces(), list(combinations(p.pieces(), 2))
    if number < 24 * len(pieces):
        return of_piece(p, *pieces[number // 24])[number % 24]
    pair, number = divmod(number - 24 * len(pieces), 35)
    if pair < len(pairs):
        return of_pair(*pairs[pair])[number]
    return of_position(p)[number + 35 * (pair - len(pairs))]


class Tree:
    """A decision tree over the quiet even positions of some forces, with n pieces."""

    def __init__(self, section: int, at: int, n: int) -> None:
        def take(bits: int) -> int:
            nonlocal at
            at += bits
            return section >> (at - bits) & 2**bits - 1

        splits = take(take(4))
        last_feature = 24 * n + 35 * n * (n - 1) // 2 + 37 - 1
        self.topology = [take(1) for _ in range(2 * splits + 1)]
        self.features = [take(last_feature.bit_length()) for _ in range(splits)]
        self.codes = [take(5) for _ in range(splits + 1)]
        self.before = list(accumulate(self.topology, initial=0))  # the splits before each node
        later = all(node <= 2 * before for node, before in enumerate(self.before[:-1]))
        expect(later and self.before[-1] == splits, "the topology of a tree is not one")

    def code(self, p: Position) -> int:
        """The code of the leaf that a position comes to."""
        node = 0
        while self.topology[node]:
            node = 2 * self.before[node] + 1 + feature(p, self.features[self.before[node]])
        return self.codes[node - self.before[node]]


def mix(x: int) -> int:
    """The word x, mixed."""
    x = (x ^ x >> 16) * 0x85EBCA6B % 2**32
    x = (x ^ x >> 13) * 0xC2B2AE35 % 2**32
    return x ^ x >> 16


def draw(key: tuple[int, int], i: int) -> int:
    """The word number i of a key."""
    return mix(key[0] ^ mix((key[1] + i * 0x9E3779B9) % 2**32))


class Ribbon(NamedTuple):
    """A static function from keys to values of some bits."""

    number: int
    width: int
    table: tuple[int, ...]
    words: tuple[int, ...]

    def value(self, key: tuple[int, int]) -> int:
        """The value for a key."""
        i, value = self.number * 512, 0
        shard = draw(key, i) * (len(self.table) - 1) // 2**32
        first, end = self.table[shard] % 2**26, self.table[shard + 1] % 2**26
        i += (self.table[shard] >> 26) * 8
        start = draw(key, i + 2) * (32 * (end - first) - 63) // 2**32
        coefficients = draw(key, i + 3) | 1 | draw(key, i + 4) << 32
        for slot in (32 * first + start + j for j in range(64) if coefficients >> j & 1):
            for bit in range(self.width):
                value ^= (self.words[slot // 32 * self.width + bit] >> slot % 32 & 1) << bit
        return value


def read_ribbons(data: bytes, widths: list[int]) -> dict[int, Ribbon]:
    """The ribbons that are there, by number, given the widths of all."""
    words = struct.unpack(f"<{len(data) // 4}I", data)
    shards = words[: len(widths)]
    table, blocks, ribbons = len(widths), len(widths) + sum(n + 1 for n in shards if n), {}
    for number in (number for number in range(len(widths)) if shards[number]):
        entries = words[table : table + shards[number] + 1]
        size = entries[-1] * widths[number]
        ribbons[number] = Ribbon(number, widths[number], entries, words[blocks : blocks + size])
        table, blocks = table + len(entries), blocks + size
    expect(blocks == len(words), "the ribbons do not fill their section")
    return ribbons


class Image:
    """A compact image that answers."""

    def __init__(self, data: bytes) -> None:
        expect(len(data) >= 128 and data[:8] == b"CROWNIMG", "this is no compact image")
        version, metric, self.most, _, flags, size = struct.unpack_from("<HBBB3xII", data, 8)
        expect(crc32(data[:124]) == int.from_bytes(data[124:128], "little"), "wrong header CRC")
        expect(version == 1 and flags == 0, "unknown version or flag")
        expect(size == len(data) and metric in (0, 2) and 2 <= self.most <= 8, "wrong header")
        sections, end = [], 128
        for offset, length, crc in struct.iter_unpack("<3I4x", data[48:112]):
            expect(offset == (end if length else 0), "a section is not where the one before ends")
            sections.append(data[offset : offset + length])
            expect(crc32(sections[-1]) == crc, f"wrong CRC of section {len(sections)}")
            end += length
        expect(end == size, "the sections do not fill the image")
        both = [(a, n - a) for n in range(2, self.most + 1) for a in range(1, n)]
        forces = [(i, a - i, j, b - j) for a, b in both for i in range(a + 1) for j in range(b + 1)]
        words = dict(zip(forces, struct.unpack_from(f"<{len(forces)}I", sections[0])))
        trees = int.from_bytes(sections[0], "little")
        self.predicates = {f: WIN if word >> 31 else LOSS for f, word in words.items()}
        self.trees = {f: Tree(trees, word % 2**31, sum(f)) for f, word in words.items()}
        self.ribbons = read_ribbons(sections[1], [1, *range(1, 15)])

    def stored(self, p: Position) -> bool:
        """The stored bit of a quiet even position."""
        mixed, usual = divmod(self.trees[p.forces()].code(p), 2)
        k, key = mixed - 1, p.key()
        may_be = k == 0 or k > 0 and self.ribbons[k].value(key) == draw(key, k * 512 + 1) % 2**k
        return (usual == 1) != (may_be and self.ribbons[0].value(key) == 1)

    def value(self, p: Position) -> int:
        """The value for the mover."""
        if not (p.men | p.kings and p.enemy_men | p.enemy_kings):
            return WIN if p.steps() else LOSS
        if p.captures():
            return max(-self.value(after.turn()) for after in p.captures())
        predicate = self.predicates[p.forces()]
        if self.holds(p):
            return predicate
        return -predicate if self.follows(-predicate, p, self.has) else DRAW

    def has(self, value: int, p: Position) -> bool:
        """Whether a position has this value, a win or a loss."""
        asked = p.quiet() and self.predicates[p.forces()] == value
        return self.holds(p) if asked else self.value(p) == value

    def follows(self, value: int, p: Position, has: Callable[[int, Position], bool]) -> bool:
        """Whether some move leads to a loss, for a win; or every move to a win, for a loss."""
        found = (has(-value, after.turn()) for after in p.steps())
        return any(found) if value == WIN else all(found)

    def holds(self, p: Position) -> bool:
        """Whether the predicate of its forces holds for a quiet position."""
        if sum(ROW[s] for s in squares(p.men | p.kings)) % 2 == 0:
            return self.stored(p)
        return self.follows(self.predicates[p.forces()], p, self.has_by_replies)

    def has_by_replies(self, value: int, p: Position) -> bool:
        """Whether a position has this value; of a quiet one its moves are asked, not itself."""
        return self.follows(value, p, self.has) if p.quiet() else self.value(p) == value


def main() -> None:
    """Answer the positions on standard input from the image that the command line names."""
    expect(len(sys.argv) == 2, "usage: compact_reader.py IMAGE < positions")
    with open(sys.argv[1], "rb") as file:
        image = Image(file.read())
    for p in map(parse_fen, sys.stdin.read().splitlines()):
        print(NAMES[image.value(p)] if sum(p.forces()) <= image.most else "unknown")


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError, LookupError, RecursionError, struct.error) as error:
        print(f"compact_reader.py: {error}", file=sys.stderr)
        sys.exit(2)
