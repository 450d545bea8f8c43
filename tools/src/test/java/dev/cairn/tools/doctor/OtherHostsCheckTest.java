package dev.cairn.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.HostNames;
import dev.cairn.tools.doctor.Finding.Level;
import dev.cairn.tools.doctor.OtherHostsCheck.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the findings on obstacles between a server and clients on other hosts. */
class OtherHostsCheckTest {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String ANYWHERE = "0.0.0.0";

  private final Map<String, String> names = new HashMap<>();
  private final Patience patience = new Patience(Duration.ofSeconds(20));

  @AfterEach
  void close() {
    patience.close();
  }

  @Test
  void aServerOnTheLoopbackAddressIsForThisMachineOnly() {
    assertOne(
        findings(LOOPBACK, LOOPBACK, "localhost"),
        Level.ADVICE,
        "Only this machine can connect (protected mode)",
        "cairn.bind.address");
  }

  @Test
  void aReachableNameIsAFact() {
    names.put("db1.example.org", "192.0.2.7");
    assertThat(findings(ANYWHERE, ANYWHERE, "db1.example.org"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.OK);
              assertThat(finding.what()).contains("db1.example.org, which is 192.0.2.7 here");
            });
  }

  @Test
  void aLoopbackNameLeadsClientsToThemselves() {
    for (String host : List.of("localhost", LOOPBACK, "::1")) {
      assertOne(
          findings(ANYWHERE, ANYWHERE, host),
          Level.PROBLEM,
          "the host " + host + ", which leads each of them to itself",
          "cairn.hostname");
    }
  }

  @Test
  void aNameThatDoesNotResolveIsAProblem() {
    assertOne(
        findings(ANYWHERE, ANYWHERE, "db1.invalid"),
        Level.PROBLEM,
        "db1.invalid, which does not resolve here",
        "/etc/hosts");
  }

  @Test
  void aNameThatLeadsToTheLoopbackHereIsAdvisedAgainst() {
    names.put("db1.example.org", "127.0.1.1");
    assertOne(
        findings(ANYWHERE, ANYWHERE, "db1.example.org"),
        Level.ADVICE,
        "resolves to the loopback address here",
        "an address of this machine");
  }

  @Test
  void aNameWithoutADomainIsAdvisedAgainst() {
    names.put("db1", "192.0.2.7");
    assertOne(
        findings(ANYWHERE, ANYWHERE, "db1"), Level.ADVICE, "a name without a domain", "hostname");
  }

  @Test
  void aListenerThatOthersCannotReachIsNamedWithItsKey() {
    names.put("db1.example.org", "192.0.2.7");
    assertThat(findings(ANYWHERE, LOOPBACK, "db1.example.org"))
        .filteredOn(finding -> finding.level() == Level.PROBLEM)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.what()).contains("cannot reach the region server");
              assertThat(finding.where()).isEqualTo("the.rs.key = " + LOOPBACK);
            });
  }

  @Test
  void aPublicNameForAServerOnTheLoopbackIsAProblem() {
    names.put("db1.example.org", "192.0.2.7");
    assertThat(findings(LOOPBACK, LOOPBACK, "db1.example.org"))
        .filteredOn(finding -> finding.level() == Level.PROBLEM)
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.what()).contains("but the servers listen on the loopback only"));
  }

  @Test
  void aNameServiceThatHangsIsAProblemToo() {
    HostNames hanging =
        new FixedNames() {
          @Override
          public List<InetAddress> addresses(String name) throws IOException {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            throw new UnknownHostException(name);
          }
        };
    try (Patience impatient = new Patience(Duration.ofMillis(20))) {
      Diagnosis diagnosis = new Diagnosis();
      new OtherHostsCheck(hanging, impatient)
          .run(List.of(new Listener("master", ANYWHERE, "db1", "the.key")), diagnosis);
      assertOne(diagnosis.findings(), Level.PROBLEM, "does not resolve here", "cairn.hostname");
    }
  }

  private static void assertOne(List<Finding> findings, Level level, String what, String remedy) {
    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(level);
              assertThat(finding.what()).contains(what);
              assertThat(finding.remedy()).contains(remedy);
              assertThat(finding.where()).isNotEmpty();
            });
  }

  private List<Finding> findings(String masterBound, String serverBound, String told) {
    Diagnosis diagnosis = new Diagnosis();
    new OtherHostsCheck(new FixedNames(), patience)
        .run(
            List.of(
                new Listener("master", masterBound, told, "the.master.key"),
                new Listener("region server", serverBound, told, "the.rs.key")),
            diagnosis);
    return diagnosis.findings();
  }

  /** A name service that knows the names of the test. */
  private class FixedNames implements HostNames {
    @Override
    public String localName() {
      return "db1";
    }

    @Override
    public List<InetAddress> addresses(String name) throws IOException {
      boolean known = names.containsKey(name);
      if (!known && !name.equals("localhost") && !name.equals(LOOPBACK) && !name.equals("::1")) {
        throw new UnknownHostException(name);
      }
      return List.of(InetAddress.getByName(known ? names.get(name) : LOOPBACK));
    }

    @Override
    public boolean isLocal(InetAddress address) {
      return true;
    }

    @Override
    public Optional<InetAddress> outward() {
      return Optional.empty();
    }
  }
}
