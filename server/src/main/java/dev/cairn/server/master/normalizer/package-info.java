/**
 * Keeps the regions of a table about equally large: splits large ones and merges small neighbours,
 * by the rules of HBase's {@code SimpleRegionNormalizer}. {@link
 * dev.cairn.server.master.normalizer.RegionNormalizer} runs periodically and on request; {@link
 * dev.cairn.server.master.normalizer.NormalizationRules} plans. Owned by the loop. Imports {@code
 * assignment}, {@code chore}, {@code ddl}, {@code loop}, {@code procedure}, {@code remote} and
 * {@code table}.
 */
package dev.cairn.server.master.normalizer;
