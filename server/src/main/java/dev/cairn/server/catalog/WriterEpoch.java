package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Names the epoch of the writing master in mutations of a system table. Once the server of the
 * table knows of a higher epoch, it refuses them.
 */
final class WriterEpoch {
  private final Optional<NameBytesPair> attribute;

  private WriterEpoch(Optional<NameBytesPair> attribute) {
    this.attribute = attribute;
  }

  /** Returns the epoch of a writer that is not a master; its mutations stay unchanged. */
  static WriterEpoch none() {
    return new WriterEpoch(Optional.empty());
  }

  /** Returns the epoch of a master. */
  static WriterEpoch of(long epoch) {
    return new WriterEpoch(
        Optional.of(
            NameBytesPair.newBuilder()
                .setName(Catalog.EPOCH)
                .setValue(ByteString.copyFrom(Bytes.ofLong(epoch)))
                .build()));
  }

  /** Returns {@code mutation} with the epoch. */
  MutationProto mark(MutationProto mutation) {
    return attribute.map(own -> mutation.toBuilder().addAttribute(own).build()).orElse(mutation);
  }
}
