package dev.cairn.server.request;

import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;

/** Translates the protocol's terms for mutations into the engine's. */
final class MutationTerms {
  private MutationTerms() {}

  /** Returns the kind of a mutation. */
  static Mutation.Kind kind(MutationType type) {
    return switch (type) {
      case PUT -> Mutation.Kind.PUT;
      case DELETE -> Mutation.Kind.DELETE;
      case INCREMENT -> Mutation.Kind.INCREMENT;
      case APPEND -> Mutation.Kind.APPEND;
    };
  }

  /** Returns the durability that is required before a mutation is acknowledged. */
  static Mutation.Durability durability(MutationProto.Durability asked) {
    return switch (asked) {
      case USE_DEFAULT -> Mutation.Durability.USE_DEFAULT;
      case SKIP_WAL -> Mutation.Durability.SKIP_WAL;
      case ASYNC_WAL -> Mutation.Durability.ASYNC_WAL;
      case SYNC_WAL -> Mutation.Durability.SYNC_WAL;
      case FSYNC_WAL -> Mutation.Durability.FSYNC_WAL;
    };
  }

  /** Returns the delete marker that a cell of a delete becomes. */
  static CellType marker(DeleteType type) {
    return switch (type) {
      case DELETE_ONE_VERSION -> CellType.DELETE;
      case DELETE_MULTIPLE_VERSIONS -> CellType.DELETE_COLUMN;
      case DELETE_FAMILY -> CellType.DELETE_FAMILY;
      case DELETE_FAMILY_VERSION -> CellType.DELETE_FAMILY_VERSION;
    };
  }
}
