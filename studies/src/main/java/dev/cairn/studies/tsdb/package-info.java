/** Points of metrics as OpenTSDB keeps them: a row for an hour, and a cell for it at the end. */
package dev.cairn.studies.tsdb;
