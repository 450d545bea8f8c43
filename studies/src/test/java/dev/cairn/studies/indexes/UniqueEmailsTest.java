package dev.cairn.studies.indexes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.studies.NewTable;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No two users have the same address, whatever clients do at once and wherever they die. */
class UniqueEmailsTest {
  private static final String NEW = "ann@example.org";
  private static final String OLD = "ann@example.com";

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  private UniqueEmails emails;

  @BeforeEach
  void create() throws IOException {
    for (NewTable table : UniqueEmails.tables()) {
      table.create(CAIRN.admin());
    }
    emails = UniqueEmails.open(CAIRN.connection());
  }

  @AfterEach
  void drop() throws IOException {
    emails.close();
    for (NewTable table : UniqueEmails.tables()) {
      table.drop(CAIRN.admin());
    }
  }

  @Test
  void oneOfSeveralUsersGetsAnAddress() throws IOException {
    List<CompletableFuture<Boolean>> changes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String user = "user" + i;
      changes.add(CompletableFuture.supplyAsync(() -> change(user)));
    }
    assertThat(changes.stream().filter(CompletableFuture::join)).hasSize(1);
    String owner = emails.owner(NEW).orElseThrow();
    for (int i = 0; i < 8; i++) {
      assertThat(emails.email("user" + i).isPresent()).isEqualTo(owner.equals("user" + i));
    }
  }

  private boolean change(String user) {
    try (UniqueEmails own = UniqueEmails.open(CAIRN.connection())) {
      return own.change(user, NEW);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anOldAddressIsFreeForOthers() throws IOException {
    assertThat(emails.change("ann", OLD)).isTrue();
    assertThat(emails.change("bob", OLD)).isFalse();
    assertThat(emails.change("ann", NEW)).isTrue();
    assertThat(emails.change("bob", OLD)).isTrue();
    assertThat(emails.email("ann")).contains(NEW);
    assertThat(emails.email("bob")).contains(OLD);
  }

  @Test
  void aClientDiesBeforeItWritesTheUser() throws IOException {
    emails.change("ann", OLD);
    emails.claim(NEW, "ann");
    assertThat(emails.change("bob", NEW)).isFalse();
    assertThat(emails.repair(0)).isZero(); // it might be in progress
    assertThat(emails.change("bob", NEW)).isFalse();
    assertThat(emails.repair(Long.MAX_VALUE)).isEqualTo(1);
    assertThat(emails.change("bob", NEW)).isTrue();
    assertThat(emails.owner(OLD)).contains("ann");
  }

  @Test
  void aClientDiesBeforeItReleasesTheOldAddress() throws IOException {
    emails.change("ann", OLD);
    emails.claim(NEW, "ann");
    emails.write(NEW, "ann");
    assertThat(emails.change("bob", OLD)).isFalse();
    assertThat(emails.repair(Long.MAX_VALUE)).isEqualTo(1);
    assertThat(emails.change("bob", OLD)).isTrue();
    assertThat(emails.owner(NEW)).contains("ann");
  }

  @Test
  void aChangeIsRepeatedAfterADeath() throws IOException {
    emails.change("ann", OLD);
    emails.claim(NEW, "ann");
    assertThat(emails.change("ann", NEW)).isTrue();
    assertThat(emails.owner(NEW)).contains("ann");
    assertThat(emails.owner(OLD)).isEmpty();
    assertThat(emails.repair(Long.MAX_VALUE)).isZero();
  }
}
