/**
 * {@code cairn bench study}: measures the designs of a case study of {@code dev.cairn.studies}, and
 * writes its page: a table, plots and pictures of where the writes went.
 */
package dev.cairn.bench.study;
