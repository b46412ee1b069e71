#ifndef HERALD_CNATS_H
#define HERALD_CNATS_H

// What Herald calls of libnats, which is loaded at run time: a program that never opens a stream needs none.
//
// Functions that return an int return 0 on success and otherwise a negative number, or the code of JetStream's
// error; `error` then has a text without secrets. All may be called on any thread; those of a subscription on one
// at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  CNATS_FAILED = -1,
  CNATS_TIMEOUT = -2,
  CNATS_DISCONNECTED = -3,
  CNATS_MESSAGE_NOT_FOUND = 10037,
  // There are fewer servers than a new stream wants.
  CNATS_TOO_FEW_SERVERS = 10005,
  CNATS_SERVER_ALONE = 10074,
  CNATS_STREAM_NOT_FOUND = 10059,
  CNATS_WRONG_LAST_SEQUENCE = 10071,
};

typedef struct {
  char text[256];
} CNATSError;

typedef struct CNATSConnection CNATSConnection;
typedef struct CNATSSubscription CNATSSubscription;

// The servers and the credentials; null for what is not used.
typedef struct {
  const char *const *servers;
  int serverCount;
  const char *name;
  const char *user;
  const char *password;
  const char *token;
  // A file with a JWT and a seed, or, with a JWT of its own, a file with a seed alone.
  const char *credentials;
  // A public NKey, and the file with its seed.
  const char *publicKey;
  const char *seed;
  // Files in PEM.
  const char *authorities;
  const char *certificate;
  const char *key;
  bool isSecure;
  int64_t timeoutMilliseconds;
} CNATSOptions;

typedef struct {
  // In nanoseconds since 1970.
  int64_t created;
  uint64_t first;
  uint64_t last;
  uint64_t bytes;
  char description[128];
  // On how many servers it is stored.
  int64_t replicas;
  // Whether they keep it in memory alone.
  bool isInMemory;
} CNATSStream;

typedef struct {
  void *handle;
  const uint8_t *bytes;
  size_t count;
  uint64_t sequence;
  // How many messages of the stream follow.
  uint64_t pending;
  // When it was stored, in nanoseconds since 1970.
  int64_t time;
} CNATSMessage;

// Loads the library; must succeed before anything else is called.
int cnats_load(CNATSError *error);

int cnats_connect(const CNATSOptions *options, CNATSConnection **connection, CNATSError *error);
void cnats_close(CNATSConnection *connection);
bool cnats_isConnected(CNATSConnection *connection);
// The number of reconnections.
uint64_t cnats_reconnects(CNATSConnection *connection);

int cnats_stream(
  CNATSConnection *connection, const char *name, int64_t timeout, CNATSStream *stream,
  CNATSError *error);
// `duplicates`: for how many nanoseconds a message is not stored twice.
int cnats_addStream(
  CNATSConnection *connection, const char *name, const char *subject, const char *description,
  int64_t replicas, int64_t duplicates, int64_t timeout, CNATSError *error);
// Removes the messages before `sequence`.
int cnats_purge(
  CNATSConnection *connection, const char *name, uint64_t sequence, int64_t timeout,
  CNATSError *error);

// Appends a message, if the last one of the stream is `last` (UINT64_MAX: whatever it is), and waits until it is
// stored. A message that was stored already under its identity is not stored again.
int cnats_publish(
  CNATSConnection *connection, const char *subject, const uint8_t *bytes, size_t count,
  const char *identity, uint64_t last, int64_t timeout, uint64_t *sequence, CNATSError *error);

// Receives the messages of a stream from `first` on, in order.
int cnats_subscribe(
  CNATSConnection *connection, const char *stream, const char *subject, uint64_t first,
  CNATSSubscription **subscription, CNATSError *error);
// Ends a subscription, which must not be used any more. Waits for a round trip, at most a second.
void cnats_unsubscribe(CNATSConnection *connection, CNATSSubscription *subscription);
int cnats_next(
  CNATSSubscription *subscription, int64_t timeout, CNATSMessage *message, CNATSError *error);
int cnats_message(
  CNATSConnection *connection, const char *stream, uint64_t sequence, int64_t timeout,
  CNATSMessage *message, CNATSError *error);
int cnats_lastMessage(
  CNATSConnection *connection, const char *stream, const char *subject, int64_t timeout,
  CNATSMessage *message, CNATSError *error);
// Writes the identity under which a message was appended, with a zero at its end; returns false if it has none.
bool cnats_identity(const CNATSMessage *message, char *text, size_t size);
void cnats_free(CNATSMessage *message);

#endif
