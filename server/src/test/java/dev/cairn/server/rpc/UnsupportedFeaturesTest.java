package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the refusal of a method that belongs to a feature. */
class UnsupportedFeaturesTest {
  @Test
  void namesTheFeatureTheCommandsAndTheCall() {
    assertThat(UnsupportedFeatures.refusal("MasterService", "RestoreSnapshot"))
        .contains(
            "Snapshots are not supported yet (shell: restore_snapshot, clone_snapshot; RPC"
                + " MasterService.RestoreSnapshot)");
    assertThat(UnsupportedFeatures.refusal("AdminService", "UpdateFavoredNodes"))
        .contains("Favored nodes are not supported yet (RPC AdminService.UpdateFavoredNodes)");
  }

  @Test
  void knowsNothingOfOtherMethods() {
    assertThat(UnsupportedFeatures.refusal("ClientService", "Get")).isEmpty();
  }
}
