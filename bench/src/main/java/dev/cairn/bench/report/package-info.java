/**
 * The results of measurements: a {@link dev.cairn.bench.report.Run} holds the results of one run,
 * of all sides, workloads and rounds. {@link dev.cairn.bench.report.RunFile} writes it as JSON. It
 * is rendered, at once or years later, as tables of figures and of ratios with their spread, and as
 * plots. Nothing here measures.
 */
package dev.cairn.bench.report;
