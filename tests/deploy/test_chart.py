"""The Helm chart: its values, and what Helm makes of them."""

import json
import os
import subprocess
import sys

import jsonschema
import pytest
import yaml

from tests.architecture.tree import CHECKOUT
from verifyhub.config.queues import WorkQueue

CHART = CHECKOUT / "deploy/helm/verifyhub"
PACKAGES = CHECKOUT / ".verifyhub-deploy/packages"
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
SCHEMA = json.loads((CHART / "values.schema.json").read_text())

with_helm = [
    pytest.mark.deep,
    pytest.mark.skipif(
        not (PACKAGES / "helm_python").is_dir(),
        reason="no Helm: `make test-deep` installs requirements/deploy.lock",
    ),
]
ALL_ON = {
    "ingress": {"enabled": True, "className": "nginx", "tlsSecretName": "tls"},
    "owner": {"secretName": "owner"},
    "web": {"autoscaling": {"enabled": True}},
    "workers": {"verdicts": {"autoscaling": {"enabled": True}}},
    "image": {"digest": f"sha256:{'0' * 64}", "pullSecrets": ["registry"]},
    "nodeSelector": {"disk": "fast"},
    "tolerations": [{"key": "agents", "operator": "Exists"}],
    "secret": {"settings": {"VERIFYHUB_STORE_SECRET": "store-secret"}},
}


def rendered(values):
    return subprocess.run(
        [sys.executable, "-m", "tests.deploy.render"],
        input=json.dumps(values),
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def manifests():
    made = rendered(ALL_ON)
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


def containers(manifests):
    return {
        one["metadata"]["name"].removeprefix("hub-verifyhub-"): container
        for one in manifests
        if one["kind"] in {"Deployment", "Job"}
        for container in one["spec"]["template"]["spec"]["containers"]
    }


def test_the_values_keep_to_their_schema():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.validate(VALUES, SCHEMA)


def test_every_value_is_one_that_the_schema_knows():
    assert set(VALUES) | {"global"} == set(SCHEMA["properties"])


def test_the_groups_of_workers_do_every_kind_of_work():
    done = [kind for one in VALUES["workers"].values() for kind in one["queues"]]

    assert sorted(done) == sorted(name.value for name in WorkQueue)


@pytest.mark.parametrize(
    "values",
    [
        {"settings": {"VERIFYHUB_SECRET_KEY": "in plain text"}},
        {"settings": {"VERIFYHUB_EMAIL_PASSWORD": "in plain text"}},
        {"image": {"digest": "latest"}},
        {"workers": {"verdicts": {"queues": ["verdicts"]}}},
        {"wbe": {"replicas": 2}},
    ],
)
def test_wrong_values_are_refused(values):
    merged = {**VALUES, **values}

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(merged, SCHEMA)


class TestRendered:
    pytestmark = with_helm

    @pytest.mark.parametrize("values", [{}, ALL_ON, {"mcp": {"enabled": False}}])
    def test_helm_renders_what_kubernetes_takes(self, values):
        made = rendered(values)

        assert made.returncode == 0, made.stderr

    def test_helm_refuses_a_secret_among_the_settings(self):
        made = rendered({"settings": {"VERIFYHUB_SECRET_KEY": "in plain text"}})

        assert made.returncode == 1
        assert "VERIFYHUB_SECRET_KEY" in made.stderr

    def test_migrations_run_before_the_new_version(self, manifests):
        (job,) = [one for one in manifests if one["kind"] == "Job"]

        hook = job["metadata"]["annotations"]["helm.sh/hook"]
        assert hook == "pre-install,pre-upgrade"

    def test_only_the_migration_is_told_who_owns_the_tables(self, manifests):
        told = {
            name
            for name, one in containers(manifests).items()
            if "OWNER" in json.dumps(one)
        }

        assert told == {"migration-3"}

    def test_no_container_is_root_or_writes_beside_its_volumes(self, manifests):
        for one in containers(manifests).values():
            assert one["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
        pods = [
            one["spec"]["template"]["spec"]
            for one in manifests
            if "template" in one.get("spec", {})
        ]
        assert all(pod["securityContext"]["runAsNonRoot"] for pod in pods)

    def test_a_digest_counts_more_than_the_tag(self, manifests):
        images = {one["image"] for one in containers(manifests).values()}

        assert images == {f"verifyhub@sha256:{'0' * 64}"}

    def test_workers_grow_with_the_runs_that_wait(self, manifests):
        scaled = {
            one["metadata"]["name"]: one["spec"]["metrics"][0]
            for one in manifests
            if one["kind"] == "HorizontalPodAutoscaler"
        }

        metric = scaled["hub-verifyhub-worker-verdicts"]["external"]["metric"]
        assert metric == {"name": "verifyhub_queue_depth"}

    def test_the_mcp_server_is_told_no_secret(self, manifests):
        assert "secret" not in json.dumps(containers(manifests)["mcp"]).lower()

    def test_everything_that_runs_several_times_has_a_disruption_budget(
        self, manifests
    ):
        budgets = {
            one["metadata"]["name"]
            for one in manifests
            if one["kind"] == "PodDisruptionBudget"
        }
        running = {
            one["metadata"]["name"] for one in manifests if one["kind"] == "Deployment"
        }

        assert budgets == running - {"hub-verifyhub-mcp"}
