/**
 * How a service declares its methods, and how a call reaches them: the table of all methods, the
 * subject of a call, interceptors, and the outcome.
 */
package dev.cairn.server.rpc.service;
