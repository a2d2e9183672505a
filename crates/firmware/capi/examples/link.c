/* The example of README.md: the library in a program of your own. */
#include <crownhead.h>

int answer(const uint8_t *image, size_t image_bytes, const char *line, size_t length) {
    crownhead_table table;
    crownhead_position position;
    crownhead_outcome outcome;
    crownhead_status status = crownhead_open_memory(&table, image, image_bytes);
    if (status == CROWNHEAD_OK) status = crownhead_parse_fen(line, length, &position, NULL);
    if (status == CROWNHEAD_OK) status = crownhead_probe(&table, &position, UINT32_MAX, &outcome);
    return status == CROWNHEAD_OK ? outcome.value : -100;
}
