package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.region.read.ReadViews;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that pinned views are released, also after a failed pin. */
class ReadViewsTest {
  @Test
  void viewsArePinnedUntilTheyAreForgotten() throws IOException {
    try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
      ReadViews views = new ReadViews();
      views.of(harness.region().stores(), new RegionStores(harness.region().stores()));
      views.pin();
      StoreView view = views.get(0);
      replaceViews(harness);
      assertThat(isInUse(view)).isTrue();
      views.forget();
      assertThat(isInUse(view)).isFalse();
    }
  }

  @Test
  void aPinThatFailsHalfWayLeavesNothingPinned() throws IOException {
    try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
      Store store = harness.region().stores().get(0);
      StoreView view = store.view();
      ReadViews views = new ReadViews();
      views.of(Arrays.asList(store, null), new RegionStores(List.of(store)));
      assertThatThrownBy(views::pin).isInstanceOf(NullPointerException.class);
      views.forget();
      replaceViews(harness);
      assertThat(isInUse(view)).isFalse();
    }
  }

  private static void replaceViews(RegionHarness harness) throws IOException {
    harness.put("r", "q", "v");
    harness.region().flush();
  }

  private static boolean isInUse(StoreView view) {
    boolean inUse = view.tryRetain();
    if (inUse) {
      view.release();
    }
    return inUse;
  }
}
