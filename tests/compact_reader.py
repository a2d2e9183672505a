#!/usr/bin/env python3
"""A second reader of compact images, written from crates/table/FORMAT.md and the rules of draughts alone.

Usage: compact_reader.py IMAGE < FENs    prints win, draw or loss for each line, with the plies where the image has
them in place. It is slow and small, and shares no code with the reader in Rust: where both agree, the page is right.
"""
import struct
import sys
import zlib
from functools import cache

WORD = 0xFFFFFFFF
HEADER = 128


def row(square):
    return square // 4


def column(square):
    return 2 * (square % 4) + (1 if row(square) % 2 == 0 else 0)


BY_PLACE = {(row(s), column(s)): s for s in range(32)}


@cache
def neighbour(square, down, right):
    return BY_PLACE.get((row(square) + down, column(square) + right))


def distance(a, b):
    return max(abs(row(a) - row(b)), abs(column(a) - column(b)))


# A position: four frozen sets of squares, seen by the mover, who moves to higher rows.


def turned(position):
    """The same board seen by the other side, which is to move now."""
    turn = [frozenset(31 - s for s in squares) for squares in position]
    return (turn[2], turn[3], turn[0], turn[1])


def directions(king):
    return [(d, r) for d in ((1, -1) if king else (1,)) for r in (-1, 1)]


def occupied(position):
    return position[0] | position[1] | position[2] | position[3]


def steps(position):
    """Positions after the mover's steps, not yet turned; forced captures aside."""
    men, kings, enemy_men, enemy_kings = position
    full = occupied(position)
    for king, squares in ((False, men), (True, kings)):
        for square in squares:
            for down, right in directions(king):
                to = neighbour(square, down, right)
                if to is None or to in full:
                    continue
                if king:
                    yield (men, kings - {square} | {to}, enemy_men, enemy_kings)
                elif row(to) == 7:
                    yield (men - {square}, kings | {to}, enemy_men, enemy_kings)
                else:
                    yield (men - {square} | {to}, kings, enemy_men, enemy_kings)


def jumps(position, square, king):
    """Pairs of jumped square and landing square."""
    full, enemy = occupied(position), position[2] | position[3]
    for down, right in directions(king):
        over = neighbour(square, down, right)
        to = neighbour(square, 2 * down, 2 * right)
        if to is not None and over in enemy and to not in full:
            yield over, to


@cache
def can_capture(position):
    return any(
        True for king in (False, True) for square in position[king] for _ in jumps(position, square, king)
    )


def captures(position):
    """Positions after the mover's captures, not yet turned."""
    for king in (False, True):
        for square in position[king]:
            sets = list(position)
            sets[king] = sets[king] - {square}
            yield from captures_from(tuple(sets), square, king, True)


def captures_from(position, square, king, first):
    """`position` is without the capturing piece."""
    ended = True
    for over, to in jumps(position, square, king):
        ended = False
        men, kings, enemy_men, enemy_kings = position
        after = (men, kings, enemy_men - {over}, enemy_kings - {over})
        if not king and row(to) == 7:
            yield (after[0], after[1] | {to}, after[2], after[3])
        else:
            yield from captures_from(after, to, king, False)
    if ended and not first:
        sets = list(position)
        sets[king] = sets[king] | {square}
        yield tuple(sets)


def successors(position):
    after = captures(position) if can_capture(position) else steps(position)
    return [turned(p) for p in after]


def features_of_pieces(position):
    """The features of each piece and of each pair, by number; those of the whole position follow."""
    found = []
    pieces = [(s, kind) for kind in range(4) for s in sorted(position[kind])]
    full = occupied(position)
    for square, kind in pieces:
        found += features_of_square(square)
        ways = [(1, -1), (1, 1)] if kind == 0 else [(-1, -1), (-1, 1)] if kind == 2 else directions(True)
        near = [neighbour(square, *way) for way in ways]
        free = sum(1 for s in near if s is not None and s not in full)
        found += [free <= i for i in range(4)]
    for i, a in enumerate(pieces):
        for b in pieces[i + 1 :]:
            found += features_of_two(a, b)
    return found


@cache
def features_of_square(square):
    r, c = row(square), column(square)
    found = [r <= i for i in range(7)] + [c <= i for i in range(7)]
    found += [r + c == 7, r in (0, 7) or c in (0, 7)]
    return found + [any(distance(square, corner) <= i for corner in (0, 4, 27, 31)) for i in range(4)]


@cache
def features_of_two(a, b):
    dr, dc = row(a[0]) - row(b[0]), column(a[0]) - column(b[0])
    found = [abs(dr) <= i for i in range(5)] + [abs(dc) <= i for i in range(5)]
    found += [distance(a[0], b[0]) <= i for i in range(1, 6)]
    found += [dr <= i for i in range(-3, 3)] + [dc <= i for i in range(-3, 4)]
    found += [dr % 2 == 1]
    return found + [race(a, b) <= i for i in range(-3, 3)]


def race(a, b):
    left = {0: lambda s: 7 - row(s), 2: lambda s: row(s)}
    if (a[1] < 2) == (b[1] < 2):
        return 0
    if a[1] in left and b[1] in left:
        return left[a[1]](a[0]) - left[b[1]](b[0])
    for man in (a, b):
        if man[1] in left:
            return distance(a[0], b[0]) - left[man[1]](man[0])
    return 0


@cache
def features_of_all(position):
    full = occupied(position)
    enemy_view = turned(position)
    own = list(steps(position))
    enemy = list(steps(enemy_view))
    own_safe = [p for p in own if not can_capture(turned(p))]
    enemy_safe = [p for p in enemy if not can_capture(turned(p))]
    found = [sum(row(s) % 2 for s in full) % 2 == 1, sum(s % 2 for s in full) % 2 == 1]
    found += [can_capture(enemy_view)]
    found += [len(own) <= i for i in range(8)] + [len(enemy) <= i for i in range(8)]
    found += [len(own_safe) <= i for i in range(5)] + [len(enemy_safe) <= i for i in range(6)]
    found += [not any(can_capture(p) for p in own_safe)]
    return found + [len(own) - len(enemy) <= i for i in range(-2, 4)]


def feature_count(pieces):
    return 24 * pieces + 35 * pieces * (pieces - 1) // 2 + 37


def mix(x):
    x ^= x >> 16
    x = x * 0x85EBCA6B & WORD
    x ^= x >> 13
    x = x * 0xC2B2AE35 & WORD
    return x ^ x >> 16


class Key:
    def __init__(self, position):
        self.a, self.b = 0x243F6A88, 0x13198A2E
        for squares in position:
            s = sum(1 << square for square in squares)
            self.a = (self.a ^ s) * 0x9E3779B1 & WORD
            self.a ^= self.a >> 15
            self.b = (self.b ^ s) * 0x85EBCA77 & WORD
            self.b ^= self.b >> 13

    def draw(self, ribbon, seed, use):
        i = ribbon * 512 + seed * 8 + use
        return mix(self.a ^ mix(self.b + i * 0x9E3779B9 & WORD))


def scale(x, n):
    return x * n >> 32


class Ribbon:
    """A ribbon whose tables have been found: entries of shards, and the offset of its blocks."""

    def __init__(self, data, number, width, shards, table):
        self.data, self.number, self.width = data, number, width
        self.entries = [word(data, table + 4 * i) for i in range(shards + 1)] if shards else []
        self.blocks_at = None

    def blocks(self):
        return self.entries[-1] & 0x3FFFFFF if self.entries else 0

    def get(self, key):
        shards = len(self.entries) - 1
        entry = scale(key.draw(self.number, 0, 0), shards)
        first, seed = self.entries[entry] & 0x3FFFFFF, self.entries[entry] >> 26
        slots = 32 * ((self.entries[entry + 1] & 0x3FFFFFF) - first)
        start = scale(key.draw(self.number, seed, 2), slots - 63)
        coefficients = key.draw(self.number, seed, 3) | 1 | key.draw(self.number, seed, 4) << 32
        value = 0
        for bit in range(self.width):
            total = 0
            for i in range(64):
                if coefficients >> i & 1:
                    block, slot = divmod(32 * first + start + i, 32)
                    total ^= word(self.data, self.blocks_at + 4 * (block * self.width + bit)) >> slot & 1
            value |= total << bit
        return value


def word(data, at):
    return struct.unpack_from("<I", data, at)[0]


def find_ribbons(data, at, kinds):
    """Ribbons that stand together; `kinds` are pairs of number and width."""
    shards = [word(data, at + 4 * i) for i in range(len(kinds))]
    at += 4 * len(kinds)
    ribbons = []
    for (number, width), count in zip(kinds, shards):
        ribbons.append(Ribbon(data, number, width, count, at))
        at += 4 * (count + 1) if count else 0
    for ribbon in ribbons:
        ribbon.blocks_at = at
        at += 4 * ribbon.blocks() * ribbon.width
    return ribbons


def bits(data, at, count):
    return sum((data[(at + i) // 8] >> (at + i) % 8 & 1) << i for i in range(count))


class Image:
    def __init__(self, image):
        assert image[:8] == b"CROWNIMG" and struct.unpack_from("<H", image, 8)[0] == 1, "no image of version 1"
        assert zlib.crc32(image[:124]) == word(image, 124), "the header is damaged"
        assert word(image, 16) == 0, "unknown flags"
        assert word(image, 20) == len(image), "another length"
        self.pieces, self.distance_pieces = image[11], image[12]
        sections = []
        for at in range(48, 112, 16):
            offset, size, crc = struct.unpack_from("<III", image, at)
            sections.append(image[offset : offset + size])
            assert zlib.crc32(sections[-1]) == crc, "a section is damaged"
        self.trees, ribbons, distances, _ = sections
        self.ribbons = find_ribbons(ribbons, 0, [(i, max(i, 1)) for i in range(15)])
        if distances:
            self.distances = find_ribbons(distances, 4, [(15, word(distances, 0))])[0]
        order = [
            (men, own - men, enemy_men, n - own - enemy_men)
            for n in range(2, self.pieces + 1)
            for own in range(1, n)
            for men in range(own + 1)
            for enemy_men in range(n - own + 1)
        ]
        self.directory = {forces: word(self.trees, 4 * i) for i, forces in enumerate(order)}

    def predicate(self, position):
        return ("loss", "win")[self.directory[tuple(map(len, position))] >> 31]

    def leaf(self, position):
        at = self.directory[tuple(map(len, position))] & 0x7FFFFFFF
        length = bits(self.trees, at, 4)
        splits = bits(self.trees, at + 4, length)
        topology = at + 4 + length
        count = feature_count(len(occupied(position)))
        width = (count - 1).bit_length()
        first_feature = topology + 2 * splits + 1
        first_leaf = first_feature + splits * width
        known = features_of_pieces(position)
        node = 0
        while bits(self.trees, topology + node, 1):
            before = sum(bits(self.trees, topology + i, 1) for i in range(node))
            feature = bits(self.trees, first_feature + before * width, width)
            if feature < len(known):
                holds = known[feature]
            else:
                holds = features_of_all(position)[feature - len(known)]
            node = 2 * before + 1 + holds
        before = sum(bits(self.trees, topology + i, 1) for i in range(node))
        return bits(self.trees, first_leaf + (node - before) * 5, 5)

    def stored(self, position):
        code = self.leaf(position)
        usual = code % 2 == 1
        if code // 2 == 0:
            return usual
        kind = code // 2 - 1
        key = Key(position)
        if kind:
            fingerprint = key.draw(kind, 0, 1) & (1 << kind) - 1
            if self.ribbons[kind].get(key) != fingerprint:
                return usual
        return usual != (self.ribbons[0].get(key) == 1)

    def decided(self, position):
        return not (position[0] | position[1]) or not (position[2] | position[3]) or can_capture(position)

    def value(self, position):
        if not position[0] | position[1]:
            return "loss"
        if not position[2] | position[3]:
            return "win" if successors(position) else "loss"
        if can_capture(position):
            values = {self.value(p) for p in successors(position)}
            return "win" if "loss" in values else "draw" if "draw" in values else "loss"
        predicate = self.predicate(position)
        if self.holds(position, predicate):
            return predicate
        if predicate == "loss":
            return "win" if any(self.has(p, "loss") for p in successors(position)) else "draw"
        return "loss" if all(self.has(p, "win") for p in successors(position)) else "draw"

    def holds(self, position, predicate):
        if sum(row(s) for s in position[0] | position[1]) % 2 == 0:
            return self.stored(position)
        after = successors(position)
        if predicate == "loss":
            return all(self.is_won_by_reply(p) for p in after)
        return any(self.is_lost_by_replies(p) for p in after)

    def is_won_by_reply(self, position):
        if self.decided(position):
            return self.value(position) == "win"
        return any(self.has(p, "loss") for p in successors(position))

    def is_lost_by_replies(self, position):
        if self.decided(position):
            return self.value(position) == "loss"
        return all(self.has(p, "win") for p in successors(position))

    def has(self, position, value):
        if not self.decided(position) and self.predicate(position) == value:
            return self.holds(position, value)
        return self.value(position) == value

    def plies(self, position, value):
        after = successors(position)
        if not position[2] | position[3] and after:
            return 1
        if not position[0] | position[1] or not after:
            return 0
        even = sum(row(s) for s in position[0] | position[1]) % 2 == 0
        if value == "loss" and even and not can_capture(position):
            return 2 * self.distances.get(Key(position))
        if value == "loss":
            return 1 + max(self.plies(p, "win") for p in after)
        return 1 + min(self.plies(p, "loss") for p in after if self.has(p, "loss"))


def parse(fen):
    turn, *sides = fen.strip().split(":")
    sets = {"BM": set(), "BK": set(), "WM": set(), "WK": set()}
    for side in sides:
        for item in filter(None, side[1:].split(",")):
            sets[side[0] + ("K" if item[0] == "K" else "M")].add(int(item.lstrip("K")) - 1)
    black = tuple(frozenset(sets[name]) for name in ("BM", "BK", "WM", "WK"))
    return black if turn == "B" else turned(black)


def main():
    with open(sys.argv[1], "rb") as file:
        image = Image(file.read())
    for line in sys.stdin:
        position = parse(line)
        value = image.value(position)
        if value != "draw" and len(occupied(position)) <= image.distance_pieces:
            print(value, image.plies(position, value))
        else:
            print(value)


if __name__ == "__main__":
    main()
