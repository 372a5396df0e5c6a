/* Parses each line of a file with json-c and drops it again: what a simple importer would do first.
 */
#include <stdio.h>
#include <stdlib.h>

#include <json.h>

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 2;
    char *line = NULL;
    size_t size = 0, lines = 0;
    struct json_tokener *tokener = json_tokener_new();
    for (ssize_t len; (len = getline(&line, &size, file)) > 0; lines++) {
        json_tokener_reset(tokener);
        json_object_put(json_tokener_parse_ex(tokener, line, (int)len));
    }
    json_tokener_free(tokener);
    free(line);
    fclose(file);
    printf("%zu lines\n", lines);
    return 0;
}
