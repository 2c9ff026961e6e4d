/* Plimsoll from C, and from everything that can call C: what a deep network weighs, how far a machine may be loaded
 * with it, which machine to take, how long it takes and what it costs.
 *
 * Questions and answers are JSON. The verbs are those of the command line (weigh, fit, place, scale, models, devices);
 * a request's fields are its flags with '_' for '-'. schema/ has the schema of every request and answer (in
 * share/plimsoll/schema of an installed copy).
 *
 * Nothing here throws, exits, prints or keeps anything between calls. Any function may be called from any thread.
 * All text is UTF-8 and ends with a zero byte. */
#ifndef PLIMSOLL_H
#define PLIMSOLL_H

#include <stddef.h>

#if defined(__GNUC__)
#define PLIMSOLL_API __attribute__((visibility("default")))
#else
#define PLIMSOLL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call comes to, as the command line's exit codes. With everything but these two the answer is an error:
 * {"schema": "plimsoll.error/1", "exit_code", "what", "where", "hint"}. */
#define PLIMSOLL_YES 0         /* answered: it fits, it can be placed */
#define PLIMSOLL_NO 1          /* answered: it does not */
#define PLIMSOLL_MISTAKE 2     /* of the caller: the verb, the request, a file */
#define PLIMSOLL_BUG 3         /* of ours */
#define PLIMSOLL_ENVIRONMENT 4 /* the machine failed: no memory, a file vanished */

/* "0.1.0" */
PLIMSOLL_API const char* plimsoll_version(void);

/* Asks a verb: plimsoll_ask("fit", "{\"model\": \"resnet50\", \"device\": \"nvidia-t4\"}", &answer). The answer is the
 * caller's to free; it is null only where there was no memory to write one. */
PLIMSOLL_API int plimsoll_ask(const char* verb, const char* request, char** answer);

/* A network that was read from the bytes of an .onnx file, or from the text of a Hugging Face config.json. */
typedef struct plimsoll_model plimsoll_model;

/* Reads a network; text that begins with '{' is a config.json. The bytes may go afterwards. On a mistake *model is
 * null, and *error, unless error is null, is what was wrong, to be freed by the caller. */
PLIMSOLL_API int plimsoll_load_model(const void* bytes, size_t size, plimsoll_model** model, char** error);

/* Asks a verb about it: a request that names no "model" is about this one. Several threads may ask about one network.
 */
PLIMSOLL_API int plimsoll_ask_model(const char* verb, const plimsoll_model* model, const char* request, char** answer);

/* Null is fine for both. */
PLIMSOLL_API void plimsoll_free(char* text);
PLIMSOLL_API void plimsoll_free_model(plimsoll_model* model);

#ifdef __cplusplus
}
#endif

#endif
