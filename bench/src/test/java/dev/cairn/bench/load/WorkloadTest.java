package dev.cairn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.bench.load.Workload.Distribution;
import dev.cairn.bench.load.Workload.Kind;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  @Test
  void namesTellWhatResultsAreOf() {
    assertThat(new Workload(Kind.C, Distribution.ZIPFIAN, 0).label()).isEqualTo("C");
    assertThat(new Workload(Kind.C, Distribution.UNIFORM, 0).label()).isEqualTo("C, uniform");
    assertThat(new Workload(Kind.PUT, Distribution.UNIFORM, 100).label()).isEqualTo("put, 100 B");
    assertThat(new Workload(Kind.GET, Distribution.UNIFORM, 100_000).label())
        .isEqualTo("get, 100 KB");
    assertThat(new Workload(Kind.LOAD, Distribution.ZIPFIAN, 0).label()).isEqualTo("load");
  }

  @Test
  void aSizeBelongsToThoseThatHaveOne() {
    assertThatThrownBy(() -> new Workload(Kind.A, Distribution.ZIPFIAN, 100))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Workload(Kind.PUT, Distribution.UNIFORM, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void regionsDivideTheKeysOfYcsbInTheirOrder() {
    byte[][] splits = LoadTables.splits(4);

    assertThat(splits).hasNumberOfRows(3);
    assertThat(Arrays.asList(splits)).isSortedAccordingTo(Arrays::compareUnsigned);
    assertThat(Bytes.toString(splits[1])).startsWith("user51");
  }
}
