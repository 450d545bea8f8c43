/** Time and waiting, as they are handed to everything that needs them. */
package dev.cairn.engine.time;
