/** The latest events of the engine, in its log and on a page. */
package dev.cairn.server.process.event;
