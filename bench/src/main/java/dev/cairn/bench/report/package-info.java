/**
 * What a measurement leaves behind: a {@link dev.cairn.bench.report.Run} is the results of one run,
 * of all sides, workloads and rounds. It is written as JSON by {@link
 * dev.cairn.bench.report.RunFile}, and rendered, at once or years later, as tables of figures and
 * of ratios with their spread, and as plots. Nothing here measures.
 */
package dev.cairn.bench.report;
