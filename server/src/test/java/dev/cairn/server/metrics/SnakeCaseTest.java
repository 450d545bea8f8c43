package dev.cairn.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnakeCaseTest {
  @ParameterizedTest
  @CsvSource({
    "regionCount, region_count",
    "l1CacheHitRatio, l1cache_hit_ratio",
    "ByteBuffAllocatorHeapAllocationBytes, byte_buff_allocator_heap_allocation_bytes",
    "GcCountG1 Young Generation, gc_count_g1_young_generation",
    "exceptions.NotServingRegionException, exceptions_not_serving_region_exception",
    "source.shippedHFiles, source_shipped_h_files",
    "Namespace_default_table_TestTable_metric_flushTime_99.9th_percentile,"
        + " namespace_default_table_test_table_metric_flush_time_99_9th_percentile",
    "AppendSize_SizeRangeCount_10-100, append_size_size_range_count_10_100",
    "orphanRegionsOnRS, orphan_regions_on_rs",
    "WAL, wal"
  })
  void namesAreAsInHBase(String name, String series) {
    assertThat(SnakeCase.of(name)).isEqualTo(series);
  }
}
