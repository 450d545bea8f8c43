/**
 * Turns the protocol's messages into the engine's requests. Each call has a message here ({@link
 * dev.cairn.server.request.GetMessage} and its like), with one reader that reads the bytes directly
 * and leaves rare parts serialized. {@link dev.cairn.server.request.QueryDecoder} completes gets
 * and scans, {@link dev.cairn.server.request.MutationDecoder} makes mutations, and {@link
 * dev.cairn.server.request.ConditionDecoder} makes conditions. The results are well-formed
 * requests, or errors that tell the client the reason. Knows no regions.
 */
package dev.cairn.server.request;
