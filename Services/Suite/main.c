// The services, the gateway and the command line as one program, for the image: Swift's runtime and the modules that they share are in it
// once. It is whichever of them it is called as, so each is a link to it.
#include <stdio.h>
#include <string.h>

// As `suite` of Package.swift.
#define FOR_EACH_PROGRAM(with) \
  with(identity) with(matching) with(catalog) with(lending) with(tracking) with(importer) with(gateway) with(tandem)

#define DECLARE(name) int name##_main(int count, char **words);
FOR_EACH_PROGRAM(DECLARE)

int main(int count, char **words) {
  const char *called = count > 0 ? words[0] : "";
  const char *slash = strrchr(called, '/');
  if (slash) called = slash + 1;
#define RUN_WHERE_CALLED(name) \
  if (strcmp(called, #name) == 0) return name##_main(count, words);
  FOR_EACH_PROGRAM(RUN_WHERE_CALLED)
#define WORD(name) " " #name
  fprintf(stderr, "suite: it was called as %s, which is none of" FOR_EACH_PROGRAM(WORD) "\n", called);
  return 2;
}
