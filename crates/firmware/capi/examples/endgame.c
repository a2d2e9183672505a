/* Opens the packed image that it is given in memory, lists and makes moves, and plays an endgame.
 * `cargo xtask firmware --run` builds and runs it here and, for a board, in the emulator. */
#include <crownhead.h>
#include <stdio.h>
#include <string.h>

extern const unsigned char image[];
extern const unsigned image_bytes;

/* Ends with a message where a call did not end as it should. */
#define EXPECT(want, call)                                                                  \
    do {                                                                                    \
        crownhead_status got = (call);                                                      \
        if (got != (want)) {                                                                \
            printf("line %d: %s, not %s\n", __LINE__, crownhead_error_text(got),            \
                   crownhead_error_text(want));                                             \
            return 1;                                                                       \
        }                                                                                   \
    } while (0)

/* Reads the image with one byte changed, or fails beyond a limit. */
struct source {
    uint32_t flipped;
    uint32_t limit;
};

static int32_t read_image(void *context, uint32_t offset, uint8_t *buffer, size_t size) {
    const struct source *source = context;
    if (offset + size > source->limit) return 1;
    memcpy(buffer, image + offset, size);
    if (source->flipped >= offset && source->flipped < offset + size)
        buffer[source->flipped - offset] ^= 1;
    return 0;
}

static crownhead_status parse(const char *fen, crownhead_position *position) {
    return crownhead_parse_fen(fen, strlen(fen), position, NULL);
}

static int moves(void) {
    crownhead_position position;
    crownhead_move list[CROWNHEAD_MOVES];
    char text[CROWNHEAD_FEN_BYTES];
    size_t count = 0, column = 0;
    EXPECT(CROWNHEAD_BAD_FEN, crownhead_parse_fen("W:W15,15:B2", 11, &position, &column));
    printf("column %u\n", (unsigned)column);
    EXPECT(CROWNHEAD_OK, parse("B:W23,22,15,14:B11,10", &position));
    EXPECT(CROWNHEAD_TOO_SMALL, crownhead_list_moves(&position, list, 1, &count));
    EXPECT(CROWNHEAD_OK, crownhead_list_moves(&position, list, CROWNHEAD_MOVES, &count));
    for (size_t i = 0; i < count; i++) {
        EXPECT(CROWNHEAD_OK, crownhead_write_move(&list[i], text, sizeof text));
        printf("%s%s", text, i + 1 < count ? " " : "\n");
    }
    EXPECT(CROWNHEAD_TOO_SMALL, crownhead_write_move(&list[0], text, 3));
    EXPECT(CROWNHEAD_OK, crownhead_apply_move(&position, &list[0]));
    EXPECT(CROWNHEAD_ILLEGAL_MOVE, crownhead_apply_move(&position, &list[0]));
    EXPECT(CROWNHEAD_OK, crownhead_write_fen(&position, text, sizeof text));
    printf("%s\n", text);
    position.white_men |= position.black_men;
    EXPECT(CROWNHEAD_ILLEGAL_POSITION, crownhead_write_fen(&position, text, sizeof text));
    EXPECT(CROWNHEAD_NULL, crownhead_list_moves(NULL, list, 1, &count));
    return 0;
}

static int faults(void) {
    static crownhead_table table;
    static uint8_t copy[64];
    struct source source = {200, UINT32_MAX};
    EXPECT(CROWNHEAD_BAD_IMAGE, crownhead_open_memory(&table, image, image_bytes - 1));
    memcpy(copy, image, sizeof copy);
    EXPECT(CROWNHEAD_BAD_IMAGE, crownhead_open_memory(&table, copy, sizeof copy));
    EXPECT(CROWNHEAD_BAD_IMAGE, crownhead_open_callback(&table, read_image, &source, image_bytes));
    source = (struct source){UINT32_MAX, 1000};
    EXPECT(CROWNHEAD_READ_FAILED, crownhead_open_callback(&table, read_image, &source, image_bytes));
    return 0;
}

static int play(void) {
    static crownhead_table table;
    static crownhead_player player;
    struct source source = {UINT32_MAX, UINT32_MAX};
    crownhead_position position;
    crownhead_move move;
    crownhead_outcome outcome;
    char text[CROWNHEAD_MOVE_BYTES];
    EXPECT(CROWNHEAD_OK, crownhead_open_callback(&table, read_image, &source, image_bytes));
    EXPECT(CROWNHEAD_OK, parse("W:WK14,K18:BK1", &position));
    EXPECT(CROWNHEAD_OUT_OF_LOOKUPS, crownhead_probe(&table, &position, 0, &outcome));
    EXPECT(CROWNHEAD_OK, crownhead_open_memory(&table, image, image_bytes));
    EXPECT(CROWNHEAD_OK, crownhead_probe(&table, &position, UINT32_MAX, &outcome));
    printf("value %d in %u plies:", (int)outcome.value, (unsigned)outcome.plies);
    EXPECT(CROWNHEAD_OK, crownhead_new_player(&player));
    for (;;) {
        crownhead_status status = crownhead_best_move(&player, &table, &position, &move, &outcome);
        if (status == CROWNHEAD_NO_MOVE) break;
        EXPECT(CROWNHEAD_OK, status);
        EXPECT(CROWNHEAD_OK, crownhead_write_move(&move, text, sizeof text));
        printf(" %s", text);
        EXPECT(CROWNHEAD_OK, crownhead_played(&player, &position, &move));
        EXPECT(CROWNHEAD_OK, crownhead_apply_move(&position, &move));
    }
    printf("\n");
    EXPECT(CROWNHEAD_OK, parse("W:W21,22,23,24,25:B1,2,3", &position));
    EXPECT(CROWNHEAD_TOO_MANY_PIECES, crownhead_probe(&table, &position, UINT32_MAX, &outcome));
    return 0;
}

static int tictactoe(void) {
    uint8_t cell = 0;
    EXPECT(CROWNHEAD_OK, crownhead_tictactoe_move(0x101, 0x010, &cell));
    printf("x...o...x: %d\n", cell);
    EXPECT(CROWNHEAD_NO_MOVE, crownhead_tictactoe_move(0x007, 0x018, &cell));
    EXPECT(CROWNHEAD_BAD_BOARD, crownhead_tictactoe_move(1, 1, &cell));
    return 0;
}

int main(void) {
    if (moves() || faults() || play() || tictactoe()) return 1;
    printf("done\n");
    return 0;
}
