/**
 * Declares methods and dispatches calls to them: the table of all methods, the subject of a call,
 * interceptors, and the outcome.
 */
package dev.cairn.server.rpc.service;
