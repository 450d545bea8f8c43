/** The engine's latest events, in the server's log and on a page. */
package dev.cairn.server.process.event;
