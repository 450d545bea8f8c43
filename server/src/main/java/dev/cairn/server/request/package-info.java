/**
 * What clients ask, from the protocol's messages to the engine's requests. Each call has a message
 * here ({@link dev.cairn.server.request.GetMessage} and its like): those that clients send most are
 * read by hand, straight from the bytes; all others by protobuf, and decoded ({@link
 * dev.cairn.server.request.QueryDecoder}, {@link dev.cairn.server.request.MutationDecoder}). What
 * leaves is well formed, or an error that tells the client what is not. Knows no regions.
 */
package dev.cairn.server.request;
