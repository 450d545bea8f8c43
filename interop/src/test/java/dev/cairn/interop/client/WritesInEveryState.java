package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What tests of writing share: {@link WrittenRows} in one state after the other. */
@ParameterizedClass
@EnumSource(State.class)
abstract class WritesInEveryState {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  static final byte[] F = toBytes("f");
  static final byte[] G = toBytes("g");
  static final byte[] A = toBytes("a");
  static final byte[] N = toBytes("n");
  static final byte[] X = toBytes("x");

  // What every row holds.
  static final String A20 = "f:a@20=a20";
  static final String A10 = "f:a@10=a10";
  static final String N5 = "f:n@10=" + WrittenRows.number(5);
  static final String X10 = "g:x@10=x10";

  static WrittenRows rows;

  @Parameter State state;

  @BeforeParameterizedClassInvocation
  static void fill(State state) throws Exception {
    rows = new WrittenRows(SERVER, state);
  }

  @AfterParameterizedClassInvocation
  static void verify() throws IOException {
    try (WrittenRows written = rows) {
      written.verifyInFiles();
    }
  }

  static Table table() {
    return rows.table().table();
  }
}
