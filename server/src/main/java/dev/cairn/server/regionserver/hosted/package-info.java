/**
 * A region as the server hosts it: the engine's region below a list of layers, the online regions,
 * and the errors that clients get for the engine's.
 */
package dev.cairn.server.regionserver.hosted;
