"""Plays whole games against `crownhead hub` through the client of the package pydraughts.

Usage: play_games.py BINARY GAMES

The opponent's moves are random, the engine has each colour in every second game, and every move
must be legal by the client's own rules. Prints one line a game.
"""

import random
import sys

import draughts
from draughts.engine import HubEngine, Limit

MOST_PLIES = 200
# Positions from which games start beside the usual one; the first is the one of which the turned
# board is known letter by letter.
STARTS = ["startpos", "B:WK19,K23:B12,K28", "W:W11,6:B3,K25", "B:W20,27,28,32,K10:B3,9,12,K18,K26"]
TURNED = {"B:WK19,K23:B12,K28": "WeeeeWeeeeBeeeBeeeeeeweeeeeeeeeee"}


def legal(board):
    """The legal moves as the Hub protocol writes them."""
    return {move.hub_move for move in board.legal_moves()}


def play(engine, start, engine_moves_first, rng):
    """Plays one game; returns how many moves the engine made."""
    board = draughts.Board(variant="english", fen=start)
    if start in TURNED:
        assert board._game.initial_hub_fen == TURNED[start], board._game.initial_hub_fen
    made = 0
    for ply in range(MOST_PLIES):
        moves = legal(board)
        if not moves:
            break
        if (ply % 2 == 0) == engine_moves_first:
            found = engine.play(board, Limit(nodes=2000), ponder=False).move
            assert found.hub_move in moves, (board.fen, found.hub_move, sorted(moves))
            board.push(found)
            made += 1
        else:
            board.push(draughts.Move(board, hub_move=rng.choice(sorted(moves))))
    return made, ply


def main():
    binary, games = sys.argv[1], int(sys.argv[2])
    rng = random.Random(1)
    engine = HubEngine([binary, "hub", "--hash", "8"])
    assert {"variant", "pydraughts", "never-lose", "threads", "hash"} <= engine.options
    assert engine.id["name"] == "Crownhead", engine.id
    engine.configure({"pydraughts": True})
    engine.init()
    engine.ping()
    for game in range(games):
        start = STARTS[game // 2 % len(STARTS)]
        engine_first = game % 2 == 0
        made, plies = play(engine, start, engine_first, rng)
        assert made > 0 or not engine_first, (start, made)
        print(f"game {game + 1} from {start}: engine moves {'first' if engine_first else 'second'}, "
              f"{made} moves of {plies} plies", flush=True)
    engine.quit()
    engine.p.wait(timeout=10)


main()
