package dev.cairn.server.log;

import java.util.Optional;

/**
 * The level of a logger.
 *
 * @param logger its name
 * @param own its own level; empty if it has that of its parent
 * @param effective the lowest level that it logs
 */
public record LoggerLevel(String logger, Optional<LogLevel> own, LogLevel effective) {}
