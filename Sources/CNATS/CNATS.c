#include "CNATS.h"

#include <dlfcn.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(F) \
  F(nats_Open) F(nats_GetLastError) F(natsStatus_GetText) \
  F(natsOptions_Create) F(natsOptions_Destroy) F(natsOptions_SetServers) F(natsOptions_SetUserInfo) \
  F(natsOptions_SetToken) F(natsOptions_SetSecure) F(natsOptions_LoadCATrustedCertificates) \
  F(natsOptions_LoadCertificatesChain) F(natsOptions_SetName) F(natsOptions_SetTimeout) \
  F(natsOptions_SetMaxReconnect) F(natsOptions_SetReconnectWait) F(natsOptions_SetReconnectJitter) \
  F(natsOptions_SetPingInterval) F(natsOptions_SetMaxPingsOut) \
  F(natsOptions_SetFailRequestsOnDisconnect) F(natsOptions_SetUserCredentialsFromFiles) \
  F(natsOptions_SetNKeyFromSeed) F(js_GetLastMsg) \
  F(natsOptions_SetErrorHandler) F(natsConnection_Connect) F(natsConnection_Status) \
  F(natsConnection_Close) F(natsConnection_FlushTimeout) F(natsConnection_Destroy) F(natsConnection_JetStream) F(natsConnection_GetStats) \
  F(natsStatistics_Create) F(natsStatistics_GetCounts) F(natsStatistics_Destroy) \
  F(natsMsg_Create) F(natsMsg_Destroy) F(natsMsg_GetData) F(natsMsg_GetDataLength) \
  F(natsMsg_GetSequence) F(natsMsg_GetTime) F(natsMsg_GetReply) \
  F(natsMsgHeader_Set) F(natsMsgHeader_Get) F(natsSubscription_NextMsg) F(natsSubscription_Destroy) \
  F(natsSubscription_Unsubscribe) F(natsSubscription_SetPendingLimits) F(jsCtx_Destroy) F(jsOptions_Init) F(jsStreamConfig_Init) \
  F(jsStreamInfo_Destroy) F(js_GetStreamInfo) F(js_AddStream) F(js_PurgeStream) F(js_PublishMsg) \
  F(jsPubOptions_Init) F(jsPubAck_Destroy) F(jsSubOptions_Init) F(js_SubscribeSync) F(js_GetMsg)

// The library's functions by their own names, with the types that its header declares.
#define DECLARE(name) static __typeof__(&name) p_##name;
FUNCTIONS(DECLARE)

struct CNATSConnection {
  natsConnection *connection;
  jsCtx *stream;
  pthread_mutex_t lock;
  // Subscriptions that have ended, until their memory may be freed.
  CNATSSubscription *ended;
};

struct CNATSSubscription {
  natsSubscription *subscription;
  CNATSSubscription *next;
};

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool isLoaded;

static int fail(CNATSError *error, int code, const char *text) {
  snprintf(error->text, sizeof error->text, "%s", text);
  return code;
}

// The length of a position in the library's source, such as "(conn.c:2088): ", at the start of a text; or 0.
static size_t positionLength(const char *text) {
  if (*text != '(') return 0;
  size_t length = 1 + strcspn(text + 1, " ():");
  if (length < 3 || text[length] != ':' || strncmp(text + length - 2, ".c", 2) != 0) return 0;
  size_t digits = strspn(text + length + 1, "0123456789");
  length += 1 + digits;
  if (digits == 0 || text[length] != ')') return 0;
  length += 1 + (text[length + 1] == ':');
  return length + (text[length] == ' ');
}

// Copies a text of the library, without positions in its source and without what precedes the host in an address:
// that may be a password.
static void copyText(CNATSError *error, const char *text) {
  char *target = error->text;
  char *end = error->text + sizeof error->text - 1;
  while (*text && target < end) {
    text += positionLength(text);
    if (strncmp(text, "://", 3) == 0) {
      size_t authority = strcspn(text + 3, "/ ,\"'");
      const char *host = text + 3;
      for (size_t index = 0; index < authority; index++)
        if (text[3 + index] == '@') host = text + 3 + index + 1;
      for (size_t index = 0; index < 3 && target < end; index++) *target++ = text[index];
      text = host;
    }
    if (*text) *target++ = *text++;
  }
  *target = 0;
}

static int failed(CNATSError *error, natsStatus status, jsErrCode code) {
  natsStatus last = NATS_OK;
  const char *text = p_nats_GetLastError(&last);
  if (status == NATS_TIMEOUT || !text || last != status) text = p_natsStatus_GetText(status);
  copyText(error, text ? text : "unknown error");
  // Nobody serves the stream, or the API, at the moment: a leader is being elected.
  if (status == NATS_NO_RESPONDERS) return CNATS_DISCONNECTED;
  if (code != 0) return (int)code;
  switch (status) {
  case NATS_TIMEOUT: return CNATS_TIMEOUT;
  case NATS_CONNECTION_CLOSED:
  case NATS_CONNECTION_DISCONNECTED:
  case NATS_STALE_CONNECTION:
  case NATS_IO_ERROR:
  case NATS_NO_SERVER:
  case NATS_NO_RESPONDERS: return CNATS_DISCONNECTED;
  default: return CNATS_FAILED;
  }
}

int cnats_load(CNATSError *error) {
  pthread_mutex_lock(&loading);
  int code = 0;
  if (!isLoaded) {
    void *library = dlopen("libnats.so.3.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libnats.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      code = fail(
        error, CNATS_FAILED,
        "the client library libnats is not installed; install the package 'libnats3.4'");
    }
#define FIND(name) \
  if (code == 0 && !(p_##name = (__typeof__(&name))dlsym(library, #name))) \
    code = fail(error, CNATS_FAILED, "the client library libnats has no '" #name "'");
    FUNCTIONS(FIND)
    if (code == 0) {
      natsStatus status = p_nats_Open(-1);
      if (status != NATS_OK) code = failed(error, status, 0);
    }
    isLoaded = code == 0;
  }
  pthread_mutex_unlock(&loading);
  return code;
}

// Failures are found where they matter; by default the library prints them.
static void ignoreError(
  natsConnection *connection, natsSubscription *subscription, natsStatus status, void *closure
) {}

static natsStatus set(natsOptions *made, const CNATSOptions *options) {
  natsStatus s = p_natsOptions_SetServers(made, (const char **)options->servers, options->serverCount);
  if (s == NATS_OK && options->name) s = p_natsOptions_SetName(made, options->name);
  if (s == NATS_OK && options->user)
    s = p_natsOptions_SetUserInfo(made, options->user, options->password ? options->password : "");
  if (s == NATS_OK && options->token) s = p_natsOptions_SetToken(made, options->token);
  if (s == NATS_OK && options->credentials)
    s = p_natsOptions_SetUserCredentialsFromFiles(made, options->credentials, NULL);
  if (s == NATS_OK && options->publicKey)
    s = p_natsOptions_SetNKeyFromSeed(made, options->publicKey, options->seed);
  if (s == NATS_OK && options->isSecure) s = p_natsOptions_SetSecure(made, true);
  if (s == NATS_OK && options->authorities)
    s = p_natsOptions_LoadCATrustedCertificates(made, options->authorities);
  if (s == NATS_OK && options->certificate)
    s = p_natsOptions_LoadCertificatesChain(made, options->certificate, options->key);
  if (s == NATS_OK) s = p_natsOptions_SetTimeout(made, options->timeoutMilliseconds);
  if (s == NATS_OK) s = p_natsOptions_SetMaxReconnect(made, -1);
  if (s == NATS_OK) s = p_natsOptions_SetReconnectWait(made, 100);
  if (s == NATS_OK) s = p_natsOptions_SetReconnectJitter(made, 50, 50);
  if (s == NATS_OK) s = p_natsOptions_SetPingInterval(made, 2000);
  if (s == NATS_OK) s = p_natsOptions_SetMaxPingsOut(made, 2);
  if (s == NATS_OK) s = p_natsOptions_SetFailRequestsOnDisconnect(made, true);
  if (s == NATS_OK) s = p_natsOptions_SetErrorHandler(made, ignoreError, NULL);
  return s;
}

int cnats_connect(const CNATSOptions *options, CNATSConnection **result, CNATSError *error) {
  CNATSConnection *made = calloc(1, sizeof *made);
  if (made) pthread_mutex_init(&made->lock, NULL);
  natsOptions *settings = NULL;
  natsStatus s = made ? p_natsOptions_Create(&settings) : NATS_NO_MEMORY;
  if (s == NATS_OK) s = set(settings, options);
  if (s == NATS_OK) s = p_natsConnection_Connect(&made->connection, settings);
  if (s == NATS_OK) s = p_natsConnection_JetStream(&made->stream, made->connection, NULL);
  int code = s == NATS_OK ? 0 : failed(error, s, 0);
  p_natsOptions_Destroy(settings);
  if (code != 0) {
    cnats_close(made);
    made = NULL;
  }
  *result = made;
  return code;
}

static void freeSubscriptions(CNATSSubscription *subscription) {
  while (subscription) {
    CNATSSubscription *next = subscription->next;
    p_natsSubscription_Destroy(subscription->subscription);
    free(subscription);
    subscription = next;
  }
}

void cnats_close(CNATSConnection *connection) {
  if (!connection) return;
  // Ends the thread that delivers messages.
  if (connection->connection) p_natsConnection_Close(connection->connection);
  freeSubscriptions(connection->ended);
  if (connection->stream) p_jsCtx_Destroy(connection->stream);
  if (connection->connection) p_natsConnection_Destroy(connection->connection);
  pthread_mutex_destroy(&connection->lock);
  free(connection);
}

bool cnats_isConnected(CNATSConnection *connection) {
  return p_natsConnection_Status(connection->connection) == NATS_CONN_STATUS_CONNECTED;
}

uint64_t cnats_reconnects(CNATSConnection *connection) {
  natsStatistics *statistics = NULL;
  uint64_t count = 0;
  if (p_natsStatistics_Create(&statistics) == NATS_OK
      && p_natsConnection_GetStats(connection->connection, statistics) == NATS_OK)
    p_natsStatistics_GetCounts(statistics, NULL, NULL, NULL, NULL, &count);
  p_natsStatistics_Destroy(statistics);
  return count;
}

static natsStatus waiting(jsOptions *options, int64_t timeout) {
  natsStatus s = p_jsOptions_Init(options);
  options->Wait = timeout;
  return s;
}

int cnats_stream(
  CNATSConnection *connection, const char *name, int64_t timeout, CNATSStream *stream,
  CNATSError *error
) {
  jsStreamInfo *found = NULL;
  jsErrCode code = 0;
  jsOptions options;
  natsStatus s = waiting(&options, timeout);
  if (s == NATS_OK) s = p_js_GetStreamInfo(&found, connection->stream, name, &options, &code);
  if (s != NATS_OK) return failed(error, s, code);
  stream->created = found->Created;
  stream->first = found->State.FirstSeq;
  stream->last = found->State.LastSeq;
  stream->bytes = found->State.Bytes;
  const char *description = found->Config ? found->Config->Description : NULL;
  snprintf(stream->description, sizeof stream->description, "%s", description ? description : "");
  stream->replicas = found->Config ? found->Config->Replicas : 1;
  stream->isInMemory = found->Config && found->Config->Storage == js_MemoryStorage;
  p_jsStreamInfo_Destroy(found);
  return 0;
}

int cnats_addStream(
  CNATSConnection *connection, const char *name, const char *subject, const char *description,
  int64_t replicas, int64_t duplicates, int64_t timeout, CNATSError *error
) {
  jsStreamConfig settings;
  jsErrCode code = 0;
  jsOptions options;
  natsStatus s = waiting(&options, timeout);
  if (s == NATS_OK) s = p_jsStreamConfig_Init(&settings);
  if (s != NATS_OK) return failed(error, s, 0);
  settings.Name = name;
  settings.Subjects = &subject;
  settings.SubjectsLen = 1;
  settings.Replicas = replicas;
  settings.Description = description;
  settings.Duplicates = duplicates;
  settings.DenyDelete = true;
  s = p_js_AddStream(NULL, connection->stream, &settings, &options, &code);
  return s == NATS_OK ? 0 : failed(error, s, code);
}

int cnats_purge(
  CNATSConnection *connection, const char *name, uint64_t sequence, int64_t timeout,
  CNATSError *error
) {
  jsErrCode code = 0;
  jsOptions options;
  natsStatus s = waiting(&options, timeout);
  options.Stream.Purge.Sequence = sequence;
  if (s == NATS_OK) s = p_js_PurgeStream(connection->stream, name, &options, &code);
  return s == NATS_OK ? 0 : failed(error, s, code);
}

int cnats_publish(
  CNATSConnection *connection, const char *subject, const uint8_t *bytes, size_t count,
  const char *identity, uint64_t last, int64_t timeout, uint64_t *sequence, CNATSError *error
) {
  natsMsg *message = NULL;
  jsPubAck *answer = NULL;
  jsPubOptions options;
  jsErrCode code = 0;
  char expected[24];
  snprintf(expected, sizeof expected, "%llu", (unsigned long long)last);
  natsStatus s = p_jsPubOptions_Init(&options);
  options.MaxWait = timeout;
  if (s == NATS_OK) s = p_natsMsg_Create(&message, subject, NULL, (const char *)bytes, (int)count);
  // The option cannot say that the stream must be empty.
  if (s == NATS_OK && last != UINT64_MAX)
    s = p_natsMsgHeader_Set(message, "Nats-Expected-Last-Sequence", expected);
  if (s == NATS_OK) s = p_natsMsgHeader_Set(message, "Nats-Msg-Id", identity);
  if (s == NATS_OK) s = p_js_PublishMsg(&answer, connection->stream, message, &options, &code);
  int result = s == NATS_OK ? 0 : failed(error, s, code);
  if (result == 0) *sequence = answer->Sequence;
  p_jsPubAck_Destroy(answer);
  p_natsMsg_Destroy(message);
  return result;
}

int cnats_subscribe(
  CNATSConnection *connection, const char *stream, const char *subject, uint64_t first,
  CNATSSubscription **result, CNATSError *error
) {
  CNATSSubscription *made = calloc(1, sizeof *made);
  jsSubOptions options;
  jsErrCode code = 0;
  natsStatus s = made ? p_jsSubOptions_Init(&options) : NATS_NO_MEMORY;
  if (s == NATS_OK) {
    options.Stream = stream;
    options.Ordered = true;
    options.Config.DeliverPolicy = js_DeliverByStartSequence;
    options.Config.OptStartSeq = first;
    s = p_js_SubscribeSync(&made->subscription, connection->stream, subject, NULL, &options, &code);
  }
  if (s == NATS_OK) s = p_natsSubscription_SetPendingLimits(made->subscription, -1, -1);
  int answer = s == NATS_OK ? 0 : failed(error, s, code);
  if (answer != 0) {
    cnats_unsubscribe(connection, made);
    made = NULL;
  }
  *result = made;
  return answer;
}

// Before version 3.6.0 the library's thread may use a subscription that another thread frees at that moment (issue 637
// of nats.c). It finds none that has ended, so the memory may be freed once it has read an answer to a later ping.
void cnats_unsubscribe(CNATSConnection *connection, CNATSSubscription *subscription) {
  if (!subscription || !subscription->subscription) return free(subscription);
  p_natsSubscription_Unsubscribe(subscription->subscription);
  pthread_mutex_lock(&connection->lock);
  subscription->next = connection->ended;
  connection->ended = NULL;
  pthread_mutex_unlock(&connection->lock);
  if (cnats_isConnected(connection)
      && p_natsConnection_FlushTimeout(connection->connection, 1000) == NATS_OK)
    return freeSubscriptions(subscription);
  CNATSSubscription *last = subscription;
  while (last->next) last = last->next;
  pthread_mutex_lock(&connection->lock);
  last->next = connection->ended;
  connection->ended = subscription;
  pthread_mutex_unlock(&connection->lock);
}

static void fill(CNATSMessage *message, natsMsg *received) {
  message->handle = received;
  message->bytes = (const uint8_t *)p_natsMsg_GetData(received);
  message->count = (size_t)p_natsMsg_GetDataLength(received);
  message->sequence = 0;
  message->pending = 0;
  message->time = 0;
}

bool cnats_identity(const CNATSMessage *message, char *text, size_t size) {
  const char *identity = NULL;
  if (p_natsMsgHeader_Get(message->handle, "Nats-Msg-Id", &identity) != NATS_OK || !identity)
    return false;
  snprintf(text, size, "%s", identity);
  return true;
}

// Reads what the subject for answers to a message of a stream says, as the library's own parser allocates memory:
// $JS.ACK.STREAM.CONSUMER.DELIVERED.SEQUENCE.OTHER.TIME.PENDING, or with a domain and an account before STREAM and one
// more part at the end.
static bool parseReply(CNATSMessage *message, const char *reply) {
  if (!reply || strncmp(reply, "$JS.ACK.", 8) != 0) return false;
  const char *parts[16];
  int count = 0;
  for (const char *part = reply; part && count < 16; count++) {
    parts[count] = part;
    part = strchr(part, '.');
    if (part) part++;
  }
  int first = count == 9 ? 2 : count >= 11 ? 4 : 0;
  if (first == 0) return false;
  message->sequence = strtoull(parts[first + 3], NULL, 10);
  message->time = strtoll(parts[first + 5], NULL, 10);
  message->pending = strtoull(parts[first + 6], NULL, 10);
  return message->sequence > 0;
}

int cnats_next(
  CNATSSubscription *subscription, int64_t timeout, CNATSMessage *message, CNATSError *error
) {
  natsMsg *received = NULL;
  natsStatus s = p_natsSubscription_NextMsg(&received, subscription->subscription, timeout);
  if (s != NATS_OK) return failed(error, s, 0);
  fill(message, received);
  if (parseReply(message, p_natsMsg_GetReply(received))) return 0;
  cnats_free(message);
  return fail(error, CNATS_FAILED, "a message of a stream has no number");
}

// Reads a message that a stream keeps: the last one of a subject or, without a subject, the one with a number.
static int stored(
  CNATSConnection *connection, const char *stream, const char *subject, uint64_t sequence,
  int64_t timeout, CNATSMessage *message, CNATSError *error
) {
  natsMsg *received = NULL;
  jsErrCode code = 0;
  jsOptions options;
  natsStatus s = waiting(&options, timeout);
  if (s == NATS_OK) {
    s = subject
      ? p_js_GetLastMsg(&received, connection->stream, stream, subject, &options, &code)
      : p_js_GetMsg(&received, connection->stream, stream, sequence, &options, &code);
  }
  if (s != NATS_OK) return failed(error, s, code);
  fill(message, received);
  message->sequence = p_natsMsg_GetSequence(received);
  message->time = p_natsMsg_GetTime(received);
  return 0;
}

int cnats_message(
  CNATSConnection *connection, const char *stream, uint64_t sequence, int64_t timeout,
  CNATSMessage *message, CNATSError *error
) {
  return stored(connection, stream, NULL, sequence, timeout, message, error);
}

int cnats_lastMessage(
  CNATSConnection *connection, const char *stream, const char *subject, int64_t timeout,
  CNATSMessage *message, CNATSError *error
) {
  return stored(connection, stream, subject, 0, timeout, message, error);
}

void cnats_free(CNATSMessage *message) {
  if (message->handle) p_natsMsg_Destroy(message->handle);
  message->handle = NULL;
}
