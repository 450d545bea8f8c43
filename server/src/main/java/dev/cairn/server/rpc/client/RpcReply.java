package dev.cairn.server.rpc.client;

import dev.cairn.engine.cell.CellBuffer;

/**
 * An answer with the cells that came beside it.
 *
 * @param message the response message
 * @param cells the cells; empty if there were none
 */
public record RpcReply<R>(R message, CellBuffer cells) {}
