package dev.cairn.server.log;

/**
 * One line of the log.
 *
 * @param timeMillis when it was logged, milliseconds since 1970
 * @param level its severity
 * @param thread the name of the thread
 * @param logger the name of the logger
 * @param message the message, with the stack trace if there is one; cut if it is very long
 */
public record LogLine(
    long timeMillis, LogLevel level, String thread, String logger, String message) {}
