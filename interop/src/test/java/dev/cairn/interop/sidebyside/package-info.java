/**
 * The same random operations to Cairn, to HBase itself and to a reference model, and every answer
 * compared. {@code Step} is one operation as data; {@code RandomSteps} draws them from a seed;
 * {@code ClientSide} sends them to a server through Apache's client, {@code ModelSide} knows what
 * the answer has to be; {@code Duel} compares, and shrinks what differs to a short list of steps.
 * {@code LossyWireTest} compares Cairn with the model alone, over a wire that loses answers ({@code
 * LossySockets}).
 */
package dev.cairn.interop.sidebyside;
