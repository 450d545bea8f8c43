package dev.cairn.studies.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.keys.hash.HashFunction;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two pages with the same hash, viewed at the same time. */
class CheckedHashesTest {
  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  /** Returns two pages whose hashes of four bytes are equal: among 200,000, some are. */
  private static List<String> collision() {
    Map<Integer, String> pages = new HashMap<>();
    for (int i = 0; ; i++) {
      String page = View.page(i);
      int hash = Bytes.toInt(HashFunction.MURMUR3.hash(Bytes.toBytes(page), Integer.BYTES));
      String other = pages.put(hash, page);
      if (other != null) {
        return List.of(other, page);
      }
    }
  }

  @Test
  void pagesOfOneHashAreToldApart() throws IOException {
    Design<View, Pages> design = CheckedHashes.of("checked", "hash(murmur3)");
    for (NewTable table : design.tables(2)) {
      table.create(CAIRN.admin());
    }
    List<String> pages = collision();
    View first = new View(pages.get(0), View.BEGIN, 1);
    View second = new View(pages.get(1), View.BEGIN, 2);
    try (FactWriter<View> writer = design.writer(CAIRN.connection())) {
      writer.write(first);
      writer.write(second);
    }
    for (View view : List.of(first, second)) {
      assertThat(
              design
                  .answer(CAIRN.connection(), new Pages(Set.of(view.page()), Optional.empty()))
                  .toArray())
          .containsExactly(view);
    }
  }
}
