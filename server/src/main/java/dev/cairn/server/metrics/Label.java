package dev.cairn.server.metrics;

/**
 * A label of a time series.
 *
 * @param name letters, digits and underscores
 * @param value any text
 */
public record Label(String name, String value) {}
