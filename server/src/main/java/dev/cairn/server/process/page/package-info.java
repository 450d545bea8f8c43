/** Pages about the process as a whole: threads, memory, cache, logs and settings. */
package dev.cairn.server.process.page;
