/* Crownhead for C: English draughts endgames and tic-tac-toe without heap or global state.
 *
 * Squares are numbered 1 to 32; bit i of a set of squares is square i + 1. All functions return a
 * crownhead_status and write their results through pointers, and only when they succeed, unless
 * said otherwise. No pointer may be null unless said otherwise; a null one where it may not be is
 * CROWNHEAD_NULL. Nothing is allocated, nothing is kept: what a function takes is the caller's
 * before and after, save that a table reads the image (or calls the callback) it was opened with
 * for as long as it is used. All functions may be called from any thread; two calls at a time must
 * not share an object that one of them writes to. An open table is only read.
 */
#ifndef CROWNHEAD_H
#define CROWNHEAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define CROWNHEAD_ASSERT(condition, text) static_assert(condition, text)
#else
#define CROWNHEAD_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* How a call ended. */
typedef int32_t crownhead_status;
#define CROWNHEAD_OK 0
#define CROWNHEAD_NULL 1
#define CROWNHEAD_BAD_FEN 2
#define CROWNHEAD_ILLEGAL_POSITION 3
#define CROWNHEAD_ILLEGAL_MOVE 4
#define CROWNHEAD_NO_MOVE 5
#define CROWNHEAD_TOO_SMALL 6
#define CROWNHEAD_BAD_IMAGE 7
#define CROWNHEAD_READ_FAILED 8
#define CROWNHEAD_TOO_MANY_PIECES 9
#define CROWNHEAD_OUT_OF_LOOKUPS 10
#define CROWNHEAD_BAD_BOARD 11

/* The value of a position for the side to move. */
#define CROWNHEAD_LOSS (-1)
#define CROWNHEAD_DRAW 0
#define CROWNHEAD_WIN 1

/* Plies of an outcome whose distance is not known. */
#define CROWNHEAD_NO_PLIES UINT32_MAX

/* The largest number of squares that a move touches. */
#define CROWNHEAD_PATH 10
/* As many moves as a side with at most 12 pieces can have. */
#define CROWNHEAD_MOVES 48
/* Bytes that hold every position's FEN, and every move's text, with the final zero. */
#define CROWNHEAD_FEN_BYTES 136
#define CROWNHEAD_MOVE_BYTES 32

/* A position: four sets of squares, and who moves (0 Black, 1 White). */
typedef struct {
    uint32_t black_men;
    uint32_t black_kings;
    uint32_t white_men;
    uint32_t white_kings;
    uint32_t white_to_move;
} crownhead_position;

/* A move: the squares (1 to 32) that the piece touches in order, how many they are, whether a man
 * is crowned (0 or 1), and the set of squares captured. */
typedef struct {
    uint8_t path[CROWNHEAD_PATH];
    uint8_t length;
    uint8_t crowns;
    uint32_t captured;
} crownhead_move;

/* A value, and the plies to the end of the game or CROWNHEAD_NO_PLIES. */
typedef struct {
    int32_t value;
    uint32_t plies;
} crownhead_outcome;

/* An open image. Its contents are private; it may be copied and needs no closing. */
typedef struct {
    uint64_t opaque[96];
} crownhead_table;

/* A player of endgames and what it has learned. Private; may be copied; needs no closing. */
typedef struct {
    uint64_t opaque[80];
} crownhead_player;

/* Copies `size` bytes of an image from `offset` on to `buffer`; returns 0, or anything else when
 * it cannot. `context` is what the table was opened with. */
typedef int32_t (*crownhead_read)(void *context, uint32_t offset, uint8_t *buffer, size_t size);

CROWNHEAD_ASSERT(sizeof(crownhead_position) == 20, "crownhead_position");
CROWNHEAD_ASSERT(sizeof(crownhead_move) == 16, "crownhead_move");
CROWNHEAD_ASSERT(sizeof(crownhead_outcome) == 8, "crownhead_outcome");
CROWNHEAD_ASSERT(sizeof(crownhead_table) == 768, "crownhead_table");
CROWNHEAD_ASSERT(sizeof(crownhead_player) == 640, "crownhead_player");

/* A sentence in English for a status, static and zero-terminated; never null. */
const char *crownhead_error_text(crownhead_status status);

/* Reads a FEN of `length` bytes (no final zero needed). Where it is wrong (CROWNHEAD_BAD_FEN),
 * `column` says at which character, from 1 on; `column` may be null. */
crownhead_status crownhead_parse_fen(const char *text, size_t length, crownhead_position *position, size_t *column);

/* Writes the position's FEN with a final zero into `size` bytes; CROWNHEAD_FEN_BYTES are enough. */
crownhead_status crownhead_write_fen(const crownhead_position *position, char *buffer, size_t size);

/* Writes the move, such as 11-15 or 9x18x11, with a final zero into `size` bytes;
 * CROWNHEAD_MOVE_BYTES are enough. */
crownhead_status crownhead_write_move(const crownhead_move *move, char *buffer, size_t size);

/* Lists the legal moves. `count` is set to how many there are also when `capacity` is too small
 * for them (CROWNHEAD_TOO_SMALL); then the first `capacity` are written. No move is a loss. */
crownhead_status crownhead_list_moves(const crownhead_position *position, crownhead_move *moves, size_t capacity, size_t *count);

/* Makes a legal move: the position becomes the one after it. */
crownhead_status crownhead_apply_move(crownhead_position *position, const crownhead_move *move);

/* Opens an image in memory (flash will do) after reading all of it once to compare checksums. The
 * bytes must stay where they are, unchanged, while the table is used. */
crownhead_status crownhead_open_memory(crownhead_table *table, const uint8_t *image, size_t size);

/* The same for an image that is read through a callback. `context` may be null. */
crownhead_status crownhead_open_callback(crownhead_table *table, crownhead_read read, void *context, uint32_t size);

/* The value of a position, found with at most `lookups` look-ups (UINT32_MAX: as many as it
 * takes). With distances in the image, plies too. */
crownhead_status crownhead_probe(const crownhead_table *table, const crownhead_position *position, uint32_t lookups, crownhead_outcome *outcome);

/* Makes a player that has learned nothing yet. */
crownhead_status crownhead_new_player(crownhead_player *player);

/* The player's move in a position that the table knows, and the outcome that it keeps. Tell the
 * player of every move with crownhead_played; begin each game with a new player. */
crownhead_status crownhead_best_move(crownhead_player *player, const crownhead_table *table, const crownhead_position *position, crownhead_move *move, crownhead_outcome *outcome);

/* Tells the player of a legal move of either side before it is made. */
crownhead_status crownhead_played(crownhead_player *player, const crownhead_position *position, const crownhead_move *move);

/* The strategy's cell (1 to 9) on a tic-tac-toe board: bit i of x and o is cell i + 1, x moves
 * first. CROWNHEAD_NO_MOVE when the game is over. */
crownhead_status crownhead_tictactoe_move(uint16_t x, uint16_t o, uint8_t *cell);

#ifdef __cplusplus
}
#endif

#endif
