package dev.cairn.server.page;

/** A sentence that readers must not miss. */
public record Notice(Level level, String text) implements Section {}
