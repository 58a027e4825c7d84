// dart.cpp - the benchmark arms in DART: rigid segments, springs that its step takes implicitly, steps of 1 ms.
#include "strip.h"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/DegreeOfFreedom.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

using namespace dart;

static dynamics::BodyNode *add_segment(dynamics::Skeleton &arm, dynamics::BodyNode *parent, const strip_case &c,
                                       int i) {
  dynamics::RevoluteJoint::Properties joint;
  joint.mName = "joint" + std::to_string(i);
  joint.mAxis = Eigen::Vector3d::UnitZ();
  if (parent) joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(SEGMENT, 0, 0);
  if (!strip_hinge(&c, i)) joint.mSpringStiffnesses[0] = SPRING;

  dynamics::BodyNode::Properties body;
  body.mName = "segment" + std::to_string(i);
  strip_inertia inertia = strip_inertia_of(&c, i);
  body.mInertia = dynamics::Inertia(inertia.mass, Eigen::Vector3d(inertia.centre, 0, 0),
                                    inertia.inertia * Eigen::Matrix3d::Identity());
  return arm.createJointAndBodyNodePair<dynamics::RevoluteJoint>(parent, joint, body).second;
}

static simulation::WorldPtr build(const strip_case &c) {
  auto arm = dynamics::Skeleton::create("arm");
  dynamics::BodyNode *last = nullptr;
  for (int i = 0; i < SEGMENTS; i++) last = add_segment(*arm, last, c, i);
  auto world = simulation::World::create();
  world->setGravity(Eigen::Vector3d(0, c.two_link ? 0 : -9.81, 0));
  world->setTimeStep(1e-3);
  world->addSkeleton(arm);
  return world;
}

// What is timed, and under callgrind counted.
extern "C" __attribute__((noinline)) void peer_steps(simulation::World *world, const strip_case *c) {
  auto arm = world->getSkeleton(0);
  for (int k = 0; k < c->milliseconds; k++) {
    if (c->two_link) {
      double t = 1e-3 * k; // the error is six times as large with the torque of the middle of the step
      arm->getDof(0)->setForce(strip_torque(0, t));
      arm->getDof(SEGMENTS / 2)->setForce(strip_torque(1, t));
    }
    world->step();
  }
}

int main(int argc, char **argv) {
  strip_case c = strip_case_of(argc, argv);
  double best = INFINITY;
  Eigen::Vector3d tip;
  for (int k = 0; k < c.runs; k++) {
    simulation::WorldPtr world = build(c);
    double begin = strip_seconds();
    peer_steps(world.get(), &c);
    best = std::min(best, strip_seconds() - begin);
    tip = world->getSkeleton(0)->getBodyNode(SEGMENTS - 1)->getTransform() * Eigen::Vector3d(SEGMENT, 0, 0);
  }
  strip_print(best, c.milliseconds, tip[0], tip[1]);
  return 0;
}
