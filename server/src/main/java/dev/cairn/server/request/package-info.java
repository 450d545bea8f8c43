/**
 * Turns the protocol's messages into the engine's requests. Each kind of call has a message class
 * here, such as {@link dev.cairn.server.request.GetMessage}, and one reader, which reads the bytes
 * directly and leaves rare parts serialized. {@link dev.cairn.server.request.QueryDecoder}
 * completes gets and scans, {@link dev.cairn.server.request.MutationDecoder} makes mutations, and
 * {@link dev.cairn.server.request.ConditionDecoder} makes conditions. The results are well-formed
 * requests, or errors with a reason for the client. Knows no regions.
 */
package dev.cairn.server.request;
