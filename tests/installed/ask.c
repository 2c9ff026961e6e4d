/* The largest batch of a network under a device's load line, from C: plimsoll.h alone. */
#include <plimsoll/plimsoll.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char* answer = NULL;
  int code = plimsoll_ask("fit", "{\"model\": \"resnet50\", \"device\": \"nvidia-t4\", \"brief\": true}", &answer);
  if (code != PLIMSOLL_YES || !strstr(answer, "\"schema\": \"plimsoll.fit/1\"")) {
    fprintf(stderr, "%s\n", answer);
    return 1;
  }
  plimsoll_free(answer);
  code = plimsoll_ask("fit", "{\"model\": \"resnet50\", \"devise\": \"nvidia-t4\"}", &answer);
  if (code != PLIMSOLL_MISTAKE || !strstr(answer, "did you mean 'device'")) {
    fprintf(stderr, "%s\n", answer);
    return 1;
  }
  plimsoll_free(answer);
  printf("plimsoll %s answers C\n", plimsoll_version());
  return 0;
}
