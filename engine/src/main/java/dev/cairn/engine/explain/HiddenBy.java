package dev.cairn.engine.explain;

/**
 * The cell that hides another one: a delete marker, or a newer write of the same version.
 *
 * @param type the code of its type
 * @param timestamp its timestamp
 * @param sequence the number of the write that made it; 0 if its file no longer says
 * @param source its source, as {@link ExplainedCell#source}
 */
public record HiddenBy(int type, long timestamp, long sequence, int source) {}
