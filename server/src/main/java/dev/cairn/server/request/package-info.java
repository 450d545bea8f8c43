/**
 * Turns the protocol's messages into the engine's requests. Each call has a message here ({@link
 * dev.cairn.server.request.GetMessage} and its like). Gets and scans have one reader each, which
 * reads the bytes directly and leaves filters and attributes serialized; {@link
 * dev.cairn.server.request.QueryDecoder} completes them. Common mutations are read from the bytes,
 * too. Protobuf reads the others, and {@link dev.cairn.server.request.MutationDecoder} decodes
 * them. The results are well-formed requests, or errors that tell the client the reason. Knows no
 * regions.
 */
package dev.cairn.server.request;
