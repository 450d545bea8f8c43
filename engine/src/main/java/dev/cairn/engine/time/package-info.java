/** Time, as it is handed to everything that needs it. */
package dev.cairn.engine.time;
