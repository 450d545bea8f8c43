/**
 * Checks recorded histories of single rows for linearizability: each call must have taken effect at
 * one moment between its begin and its end. {@link dev.cairn.torture.history.RecordedHistory} has a
 * text form, so that a history that fails is kept and checked again. Imports no other room.
 */
package dev.cairn.torture.history;
